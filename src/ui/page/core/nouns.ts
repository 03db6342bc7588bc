/** What the stream's frames are about, by the first part of their kind. */
export type Noun =
  | 'message'
  | 'customer'
  | 'template'
  | 'otp'
  | 'webhook'
  | 'event'
  | 'delivery'
  | 'attempt'
  | 'request'
  | 'rule'
  | 'scenario'
  | 'expectation'
  | 'clock';
