export const windowLengthMs = 24 * 60 * 60 * 1000;

export interface WindowState {
  readonly open: boolean;
  /** The instant from which it is closed; null if it was never open, or is open for a customer who never wrote. */
  readonly closesAtMs: number | null;
}

const e164 = /^\+[1-9]\d{6,14}$/;

export function isPhone(text: string): boolean {
  return e164.test(text);
}

/** Numbers that regulators reserve for films, books and tests, so that they reach no person. */
const RESERVED: readonly RegExp[] = [
  // North America: 555-0100 to 555-0199 of every area code.
  /^\+1[2-9]\d{2}55501\d\d$/,
  // United Kingdom (Ofcom, numbers for drama use).
  /^\+44(?:7700900|2079460|1632960|1(?:1[3-8]|[2-6]1)4960|1914980|8081570)\d{3}$/,
  // France (Arcep).
  /^\+33(?:19900|26191|35301|46571|53649|63998)\d{4}$/,
  // Australia (ACMA, numbers for use in radio, film and television).
  /^\+61(?:[2378]5550\d{4}|491570(?:006|110|15[6-9]))$/,
];

export function isFictional(phone: string): boolean {
  return RESERVED.some((numbers) => numbers.test(phone));
}
