/**
 * The channel's own message id: a prefix, the number's length and digits, a marker, 18 hex digits, a zero byte, in base64
 * behind `wamid.` (contract §2, ids).
 */
const name = 'wamid.';
const marker = '\x15\x02\x00\x11\x18\x12';
const serialLength = 18;

/**
 * @param phone E.164, with its plus
 * @param serial 18 upper-case hex digits
 */
export function wamidOf(phone: string, serial: string): string {
  const digits = phone.slice(1);
  const bytes = `\x1c\x18${String.fromCharCode(digits.length)}${digits}${marker}${serial}\x00`;
  return name + Buffer.from(bytes, 'latin1').toString('base64');
}

/** The serial of an id that `wamidOf` made for this number; null for any other text. */
export function serialOf(phone: string, wamid: string): string | null {
  const bytes = Buffer.from(wamid.slice(name.length), 'base64');
  const serial = bytes.toString('latin1', bytes.length - 1 - serialLength, bytes.length - 1);
  return wamidOf(phone, serial) === wamid ? serial : null;
}
