/** Copies a text to the clipboard, and briefly confirms it. */
import { useState } from 'preact/hooks';
import { later, toast } from '../core/index.js';
import { Icon } from './icon.js';

/** Milliseconds for which the check mark is shown. */
const shownMs = 1500;

interface Props {
  readonly text: string;
  /** A description, such as "message id". */
  readonly label: string;
  /** Shows the confirmation next to the icon. */
  readonly words?: boolean;
}

export function CopyButton({ text, label, words = false }: Props) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    later(shownMs, () => setCopied(false));
  };
  return (
    <button
      type="button"
      class={words ? 'button quiet small' : 'icon-button small'}
      aria-label={`Copy ${label}`}
      title={`Copy ${label}`}
      onClick={() => void copy()}
    >
      <Icon name={copied ? 'check' : 'copy'} size={15} />
      {words && (copied ? 'Copied' : `Copy ${label}`)}
    </button>
  );
}

/** @returns whether the text is on the clipboard; if not, a toast says what to do */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast(
      'bad',
      'The browser blocked the copy; it allows copying only on localhost and https. Select the text instead.',
      [text],
    );
    return false;
  }
}
