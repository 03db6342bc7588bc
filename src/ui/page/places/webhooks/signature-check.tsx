import { useEffect, useState } from 'preact/hooks';
import type { Attempt, Endpoint } from '../../core/index.js';
import { Button, CopyButton, Field, HelpLink, Notice, Pairs, State, TextInput } from '../../parts/index.js';
import { rewritten, signatureHeader, signatureOf, type SignatureVerdict, verdictOf } from './signature.js';

/** Null until it is computed, or if it cannot be. */
function useSignature(secret: string, body: string): string | null {
  const [made, setMade] = useState<{ readonly of: string; readonly signature: string | null } | null>(null);
  const of = `${secret} ${body}`;
  useEffect(() => {
    void signatureOf(secret, body).then((signature) => setMade({ of, signature }));
  }, [of]);
  return made?.of === of ? made.signature : null;
}

/** A truncated body cannot be checked. */
function secretFor(attempt: Attempt | undefined, secret: string | undefined): string {
  return attempt?.request.truncated === true ? '' : (secret ?? '');
}

export function useVerdict(attempt: Attempt | undefined, endpoint: Endpoint | undefined): SignatureVerdict | null {
  const computed = useSignature(secretFor(attempt, endpoint?.secret), attempt?.request.body ?? '');
  return computed === null || !attempt ? null : verdictOf(signatureHeader(attempt), computed);
}

interface Props {
  readonly attempt: Attempt;
  readonly payload: string | null;
  /** Undefined if it was removed together with its secret. */
  readonly endpoint: Endpoint | undefined;
}

export const signatureWords: Readonly<Record<SignatureVerdict, string>> = {
  matches: 'valid',
  differs: 'differs',
  missing: 'was not sent',
  malformed: 'is malformed',
};

export function SignatureCheck({ attempt, payload, endpoint }: Props) {
  const [other, setOther] = useState('');
  const { body = '', truncated: cut = false } = attempt.request;
  const secret = secretFor(attempt, other === '' ? endpoint?.secret : other);
  const header = signatureHeader(attempt);
  const computed = useSignature(secret, body);
  const verdict = computed === null ? null : verdictOf(header, computed);
  // Usual errors: signing the parsed or the original event instead of the received bytes.
  const again = rewritten(body);
  const original = payload === body ? null : payload;
  const ofAgain = useSignature(secret, again ?? '');
  const ofOriginal = useSignature(secret, original ?? '');
  return (
    <details class="more">
      <summary>
        Signature{' '}
        {verdict !== null && (
          <State status={verdict} tone={verdict === 'matches' ? 'good' : 'bad'}>
            {signatureWords[verdict]}
          </State>
        )}
      </summary>
      <section class="card" aria-label="Signature check">
        <Field
          label="Check with another secret"
          error={other === '' || other.startsWith('whsec_') ? null : 'A secret starts with whsec_.'}
          hint={
            <>
              Such as the one in your application.{' '}
              <HelpLink page="webhooks.md#verify-a-signature">How to verify a signature</HelpLink>
            </>
          }
        >
          <TextInput class="mono" placeholder="whsec_…" value={other} onText={(text) => setOther(text.trim())} />
        </Field>
        {verdict !== null && verdict !== 'matches' && (
          <Notice tone="bad">{reason(verdict, attempt, endpoint, other !== '')}</Notice>
        )}
        <Pairs
          of={[
            ['Key', endpoint ? <Secret secret={endpoint.secret} /> : 'The endpoint and its secret were removed.'],
            ['Signed', `The ${new TextEncoder().encode(body).length} bytes of the body as sent, nothing else`],
            ['HMAC-SHA256', <span class="mono">{computed ?? notComputed(cut, secret)}</span>],
            ['As sent', <span class="mono">{header ?? '(missing)'}</span>],
            again !== null && otherBytes('Parsed and serialised again, a common error', ofAgain, header),
            original !== null && otherBytes('The event before the fault', ofOriginal, header),
          ]}
        />
      </section>
    </details>
  );
}

function otherBytes(what: string, computed: string | null, header: string | null) {
  const verdict = computed !== null && computed === header ? 'matches' : 'differs';
  const value = (
    <>
      <State status={verdict} tone={verdict === 'matches' ? 'good' : 'bad'} /> <span class="mono">{computed}</span>
    </>
  );
  return [what, value] as const;
}

function notComputed(cut: boolean, secret: string): string {
  if (cut) return 'Only the beginning of the body is kept, so no signature can be computed.';
  return secret === '' ? 'A secret is missing.' : 'The browser computes signatures only on localhost and https.';
}

function reason(verdict: SignatureVerdict, attempt: Attempt, endpoint: Endpoint | undefined, other: boolean): string {
  if (verdict === 'missing' || verdict === 'malformed') return 'A receiver must reject this request.';
  if (other) return 'The signature was not made with the secret you entered.';
  if (attempt.explain) return 'A fault was requested; a receiver must reject this request.';
  if (endpoint !== undefined && Date.parse(endpoint.updated_at) >= Date.parse(attempt.at)) {
    return `The endpoint was changed at ${endpoint.updated_at}, after this attempt: registering it again generated a new secret.`;
  }
  return 'It was made with another secret or from other bytes.';
}

/** A signing secret. It is hidden at first, because screens are shared. */
export function Secret({ secret }: { secret: string }) {
  const [shown, setShown] = useState(false);
  return (
    <>
      <span class="mono">{shown ? secret : `whsec_${'•'.repeat(8)}`}</span>{' '}
      <Button kind="quiet low" aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? 'Hide secret' : 'Show secret'}
      </Button>
      <CopyButton text={secret} label="secret" />
    </>
  );
}
