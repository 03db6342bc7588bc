/**
 * The file name of an account. A person should recognise the key. No file name may leave the directory, equal another one on
 * a file system that ignores case, or be reserved by an operating system. The key itself is in the file.
 */
import { createHash } from 'node:crypto';

/** Leaves room for every extension within the 255 bytes that file systems allow. */
const longest = 120;
const safe = /^[A-Za-z0-9_~@+=-]$/;
/** Windows reserves these names for devices, with any extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * Returns the file name for a key or a snapshot name, without its extension. Safe characters stay, others become `%xx`
 * byte by byte. If two keys could still have the same name (capitals, length, broken Unicode), `%-` and a hash follow;
 * an escape never contains `%-`.
 */
export function fileNameOf(key: string): string {
  const bytes = Buffer.from(key, 'utf8');
  let name = '';
  for (const char of bytes.toString('utf8')) {
    name += safe.test(char) || (char === '.' && name !== '') ? char : escaped(char);
  }
  // Windows removes a dot at the end of a folder's name.
  if (name.endsWith('.')) name = name.slice(0, -1) + escaped('.');
  if (reserved.test(name)) name = escaped(name.charAt(0)) + name.slice(1);
  const broken = bytes.toString('utf8') !== key;
  if (!broken && name !== '' && name.length <= longest && name === name.toLowerCase()) return name;
  return `${name.slice(0, longest).replace(/%[\da-f]?$/, '')}%-${hash(key)}`;
}

export function accountFileName(name: string): string {
  return `${name}.json`;
}

export function journalName(name: string): string {
  return `${name}.journal`;
}

function escaped(text: string): string {
  return Array.from(Buffer.from(text, 'utf8'), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function hash(key: string): string {
  return createHash('sha256').update(Buffer.from(key, 'utf16le')).digest('hex').slice(0, 16);
}
