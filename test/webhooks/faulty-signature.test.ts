import { expect, it } from 'vitest';
import { signatureHeader } from '../../src/webhooks/delivery/faults.js';
import { verifySignature } from '../../src/webhooks/sender/signature.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';
import { spoil } from '../support/spoiled.js';

const { sandbox } = useSandbox({ clock: frozen });

const secret = 'whsec_fixed_for_tests';

it.each([
  ['wrong_secret', /^sha256=[0-9a-f]{64}$/],
  ['malformed', /^[0-9a-f]{56}-zzzzzz-$/],
  ['missing', undefined],
] as const)('%s: the receiver can tell, and the retry is signed rightly', async (signature, shape) => {
  const { requests, event, deliveries } = await spoil(sandbox, { signature });
  expect(deliveries[0]?.attempts.map(({ faults }) => faults?.length)).toEqual([1, undefined]);
  expect(deliveries[0]?.faults?.[0]).toMatch(/^(wrong_secret|missing_signature|malformed_signature)$/);
  const [first, retry] = requests;
  if (shape === undefined) expect(first?.headers).not.toHaveProperty('x-service-signature');
  else expect(first?.headers['x-service-signature']).toMatch(shape);
  expect([first?.signature_valid, retry?.signature_valid]).toEqual([false, true]);
  expect(retry?.body).toBe(first?.body);
  expect(requests.map(({ headers }) => headers['x-service-event-id'])).toEqual([event.id, event.id]);
});

it('a rule that fits every attempt spoils every attempt', async () => {
  const { requests } = await spoil(sandbox, { signature: 'wrong_secret' }, '*');
  expect(requests.map(({ signature_valid }) => signature_valid)).toEqual([false, false]);
});

it('none of the spoiled ones is right for the secret, and the valid one is', () => {
  const right = (mode: 'valid' | 'wrong_secret' | 'malformed') =>
    verifySignature(secret, '{}', signatureHeader(mode, secret, '{}') ?? '');
  expect([right('valid'), right('wrong_secret'), right('malformed')]).toEqual([true, false, false]);
  expect(signatureHeader('missing', secret, '{}')).toBeNull();
});
