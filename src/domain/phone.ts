/** Phone numbers in E.164 form. */
const e164 = /^\+[1-9]\d{6,14}$/;

export function isPhone(text: string): boolean {
  return e164.test(text);
}
