/** Phone numbers in E.164: a plus, then 7 to 15 digits. */
export function isPhone(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}
