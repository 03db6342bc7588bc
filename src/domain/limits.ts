/** The limits of one account, one for everything that can grow. */
/** Each event is delivered to every subscribed endpoint. */
export const maxEndpoints = 1_000;
/** Each call evaluates every rule that was added at run time. */
export const maxRules = 100;
/** Characters of such a rule, as it is written. */
export const longestRule = 16 * 1024;
export const longestScenario = 256 * 1024;
export const maxSnapshots = 20;
export const maxSnapshotBytes = 64 * 1024 * 1024;
/** Bytes of all accounts together, without a data directory. */
export const maxSnapshotMemory = 256 * 1024 * 1024;
export const maxMessages = 200_000;
/** The oldest settled events beyond it are removed, with their deliveries and attempts. */
export const maxEvents = 20_000;
export const maxDeliveries = 20_000;
/** Each name that gets a request or responses is a sink. */
export const maxSinks = 100;
export const maxSinkRequests = 1_000;
/** Maximum delay of a response by a sink, in real milliseconds. A socket waits for this long. */
export const longestSinkDelayMs = 60_000;
/** A longer body in the journal, in an attempt or at a sink, or longer data of an event, is cut here, in characters. */
export const keptBody = 64 * 1024;
/** Several times the retry schedule. The oldest attempt of a delivery is removed; its number is not reused. */
export const maxAttemptsKept = 200;
/** Deliveries of one event to one endpoint: each redelivery of the event causes an attempt of every one of them. */
export const maxCopies = 100;

/** Offsets are milliseconds of account time. */
export const defaultLifecycle = [
  { status: 'sent', offsetMs: 0 },
  { status: 'delivered', offsetMs: 300 },
  { status: 'read', offsetMs: 1000 },
] as const;

export const defaultReview = { decision: 'approved', afterMs: 1000, reason: null } as const;

export const otpDefaults = { length: 6, expirySeconds: 300, attempts: 5 } as const;
