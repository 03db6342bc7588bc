/**
 * The channel's own message id: a prefix, the number's length and digits, a marker, 18 hex digits, a zero byte, in base64
 * behind `wamid.` (contract §2, ids).
 */
import { AsciiText } from './ascii-text.js';

const name = 'wamid.';
const marker = '\x15\x02\x00\x11\x18\x12';
const serialLength = 18;

/** Room for more than a number of 15 digits takes. */
const bytes = new AsciiText(64);
const text = new AsciiText(128);

/**
 * @param phone E.164, with its plus
 * @param serial 18 upper-case hex digits
 */
export function wamidOf(phone: string, serial: string): string {
  const digits = phone.slice(1);
  bytes.clear().byte(0x1c).byte(0x18).byte(digits.length).text(digits).text(marker).text(serial).byte(0);
  return text.clear().text(name).base64(bytes).toString();
}

/** The serial of an id that `wamidOf` made for this number; null for any other text. */
export function serialOf(phone: string, wamid: string): string | null {
  const decoded = Buffer.from(wamid.slice(name.length), 'base64');
  const serial = decoded.toString('latin1', decoded.length - 1 - serialLength, decoded.length - 1);
  return wamidOf(phone, serial) === wamid ? serial : null;
}
