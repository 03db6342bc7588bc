/** Every check, in the order in which they are played: what may break the receiver comes last. */
import type { Check } from './check.js';
import { acceptsEvent } from './checks/accepts-event.js';
import { answersInTime } from './checks/answers-in-time.js';
import { answersPromptly } from './checks/answers-promptly.js';
import { concurrentDuplicates } from './checks/concurrent-duplicates.js';
import { deduplicates } from './checks/deduplicates.js';
import { disorder } from './checks/disorder.js';
import { duplicates } from './checks/duplicates.js';
import { escapedBody } from './checks/escaped-body.js';
import { hugeBody } from './checks/huge-body.js';
import { keepsAnswering } from './checks/keeps-answering.js';
import { lateEvent } from './checks/late-event.js';
import { malformedSignature } from './checks/malformed-signature.js';
import { missingSignature } from './checks/missing-signature.js';
import { otherBody } from './checks/other-body.js';
import { partlyRightSignature } from './checks/partly-right-signature.js';
import { reformattedBody } from './checks/reformatted-body.js';
import { sameRefusal } from './checks/same-refusal.js';
import { signatureHeaderOnly } from './checks/signature-header-only.js';
import { signaturePrefix } from './checks/signature-prefix.js';
import { signatureWithTail } from './checks/signature-with-tail.js';
import { truncatedBody } from './checks/truncated-body.js';
import { unicodeText } from './checks/unicode-text.js';
import { unknownProperty } from './checks/unknown-property.js';
import { unknownType } from './checks/unknown-type.js';
import { wrongSecret } from './checks/wrong-secret.js';

export const checks: readonly Check[] = [
  acceptsEvent('message.received', 'text, image, document and tapped button'),
  acceptsEvent('message.status', 'sent, delivered, read and failed'),
  acceptsEvent('otp.verified', 'the service sends it'),
  acceptsEvent('template.status', 'approved and rejected'),
  unicodeText,
  reformattedBody,
  escapedBody,
  duplicates,
  concurrentDuplicates,
  deduplicates,
  disorder,
  lateEvent,
  unknownType,
  unknownProperty,
  signatureHeaderOnly,
  missingSignature,
  malformedSignature,
  wrongSecret,
  otherBody,
  signaturePrefix,
  partlyRightSignature,
  signatureWithTail,
  sameRefusal,
  truncatedBody,
  hugeBody,
  keepsAnswering,
  answersInTime,
  answersPromptly,
];
