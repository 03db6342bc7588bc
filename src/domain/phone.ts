/** E.164 with the bounds of contract §2 (sizes). */
const e164 = /^\+[1-9]\d{6,14}$/;

export function isPhone(text: string): boolean {
  return e164.test(text);
}
