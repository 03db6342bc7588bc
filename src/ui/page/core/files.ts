/** Downloads and uploads files. */

/** Downloads a text as a file. */
export function download(name: string, text: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * Asks the user for a file, and passes on its text and its name.
 * @param accept such as `.yaml,.json`
 */
export function upload(accept: string, onText: (text: string, name: string) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    void file?.text().then((text) => onText(text, file.name));
  });
  input.click();
}
