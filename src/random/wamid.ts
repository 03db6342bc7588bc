const marker = '\x15\x02\x00\x11\x18\x12';

/**
 * The channel's own message id: `wamid.` and, in base64, a prefix, the number's length and digits, a marker, a serial
 * number and a zero byte.
 * @param phone E.164, with its plus
 * @param serial 18 upper-case hex digits
 */
export function wamidOf(phone: string, serial: string): string {
  const digits = phone.slice(1);
  const bytes = `\x1c\x18${String.fromCharCode(digits.length)}${digits}${marker}${serial}\0`;
  return `wamid.${Buffer.from(bytes, 'latin1').toString('base64')}`;
}
