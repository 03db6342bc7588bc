/** The library door: what a program imports from `messaging-sandbox` (contract §8). Exports only. */
export { SIGNATURE_HEADER, verifySignature } from './webhooks/signature.js';
