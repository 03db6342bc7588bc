/** The behaviour without rules and settings. Offsets are milliseconds of account time. */

export const defaultLifecycle = [
  { status: 'sent', offsetMs: 0 },
  { status: 'delivered', offsetMs: 300 },
  { status: 'read', offsetMs: 1000 },
] as const;

export const defaultReview = { decision: 'approved', afterMs: 1000, reason: null } as const;

export const otpDefaults = { length: 6, expirySeconds: 300, attempts: 5 } as const;
