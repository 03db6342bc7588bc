/** Recomputes the signature: secret, signed bytes, result, and the signature that was sent. */
import { useState } from 'preact/hooks';
import { type Attempt, type Endpoint, useRead } from '../../core/index.js';
import { Button, CopyButton, Field, HelpLink, Notice, TextInput } from '../../parts/index.js';
import { rewritten, signatureHeader, signatureOf, type SignatureVerdict, verdictOf } from './signature.js';

interface Props {
  readonly attempt: Attempt;
  /** The bytes of the event. */
  readonly payload: string | null;
  /** Undefined if it was removed together with its secret. */
  readonly endpoint: Endpoint | undefined;
}

const verdicts: Readonly<Record<SignatureVerdict, { readonly words: string; readonly tone: 'good' | 'bad' }>> = {
  matches: { words: 'Signature matches', tone: 'good' },
  differs: { words: 'Signature differs', tone: 'bad' },
  missing: { words: 'No signature was sent', tone: 'bad' },
  malformed: { words: 'Signature is malformed', tone: 'bad' },
};

export function SignatureCheck({ attempt, payload, endpoint }: Props) {
  const [other, setOther] = useState<string | null>(null);
  const { body, truncated: cut = false } = attempt.request;
  // A truncated body cannot be checked.
  const secret = cut ? '' : (other ?? endpoint?.secret ?? '');
  const header = signatureHeader(attempt);
  const computed = useSignature(secret, body);
  const verdict = computed === null ? null : verdictOf(header, computed);
  return (
    <section class="card signature" aria-label="Signature check">
      <h3>
        Recomputed signature
        {verdict !== null && <span class={`badge tiny-text ${verdicts[verdict].tone}`}>{verdicts[verdict].words}</span>}
      </h3>
      <ol class="signature-steps grid gap-75">
        <li>
          <p class="strong">Key: the endpoint’s whole secret, including whsec_</p>
          {endpoint ? (
            <Secret secret={endpoint.secret} />
          ) : (
            <p class="faint">The endpoint and its secret were removed.</p>
          )}
          <Field
            label="Check with another secret"
            hint={
              <>
                For example, the one in your application.{' '}
                <HelpLink page="webhooks.md#verify-a-signature">How to verify a signature</HelpLink>
              </>
            }
          >
            <TextInput
              spellcheck={false}
              placeholder="whsec_…"
              value={other ?? ''}
              onText={(value) => setOther(value === '' ? null : value.trim())}
            />
          </Field>
        </li>
        <li>
          <p class="strong">
            Message: {cut ? 'all' : `the ${new TextEncoder().encode(body).length}`} bytes of the body as sent
          </p>
          <p class="faint">Without a timestamp or separator.</p>
        </li>
        <li>
          <p class="strong">HMAC-SHA256, in hex, after sha256=</p>
          <p class="mono digest breaks">{computed ?? <NotComputed cut={cut} secret={secret} />}</p>
        </li>
        <li>
          <p class="strong">X-Service-Signature, as sent</p>
          <p class="mono digest breaks">{header ?? <span class="faint">(missing)</span>}</p>
        </li>
      </ol>
      {verdict !== null && verdict !== 'matches' && (
        <Reasons verdict={verdict} attempt={attempt} endpoint={endpoint} otherSecret={other !== null} />
      )}
      {computed !== null && <OtherBytes secret={secret} body={body} payload={payload} header={header} />}
    </section>
  );
}

function NotComputed({ cut, secret }: { cut: boolean; secret: string }) {
  if (cut) return <span class="faint">Only the beginning of the body is kept, so no signature can be computed.</span>;
  if (secret === '') return <>A secret is missing.</>;
  return <span class="faint">The browser computes signatures only on localhost and https.</span>;
}

interface ReasonsProps extends Pick<Props, 'attempt' | 'endpoint'> {
  readonly verdict: SignatureVerdict;
  readonly otherSecret: boolean;
}

/** Returns a likely reason. */
function Reasons({ verdict, attempt, endpoint, otherSecret }: ReasonsProps) {
  const changed = endpoint !== undefined && Date.parse(endpoint.updated_at) >= Date.parse(attempt.at);
  let words = 'It was made with another secret or from other bytes.';
  if (verdict === 'missing' || verdict === 'malformed') words = 'A receiver must reject this request.';
  else if (otherSecret) words = 'The signature was not made with the secret you entered.';
  else if (attempt.explain) words = 'A fault was requested; a receiver must reject this request.';
  else if (changed)
    words = `The endpoint was changed at ${endpoint.updated_at}, after this attempt: registering it again generated a new secret.`;
  return (
    <Notice tone="bad" icon="alert">
      {words}
    </Notice>
  );
}

interface OtherBytesProps {
  readonly secret: string;
  readonly body: string;
  readonly payload: string | null;
  readonly header: string | null;
}

/** Usual errors: signing the parsed or the original event instead of the received bytes. */
function OtherBytes({ secret, body, payload, header }: OtherBytesProps) {
  const again = rewritten(body);
  const faulty = payload !== null && payload !== body;
  if (!faulty && again === null) return null;
  return (
    <div class="other-bytes ruled-top grid gap-40 small-text">
      <h3>Signatures for other bytes</h3>
      {faulty && (
        <Over what="The bytes of the event, before the fault" secret={secret} body={payload} header={header} />
      )}
      {again !== null && (
        <Over what="Parsed and serialised again, a common error" secret={secret} body={again} header={header} />
      )}
    </div>
  );
}

function Over({ what, secret, body, header }: Omit<OtherBytesProps, 'payload'> & { readonly what: string }) {
  const computed = useSignature(secret, body);
  if (computed === null) return null;
  const same = verdictOf(header, computed) === 'matches';
  return (
    <div class="over">
      <p>
        {what} <span class={`badge tiny-text ${same ? 'good' : 'bad'}`}>{same ? 'matches' : 'differs'}</span>
      </p>
      <p class="mono digest breaks faint">{computed}</p>
    </div>
  );
}

/** Null until it is computed, or if it cannot be. */
function useSignature(secret: string, body: string): string | null {
  const made = useRead(async () => ({ secret, body, signature: await signatureOf(secret, body) }), [secret, body]);
  return made?.secret === secret && made.body === body ? made.signature : null;
}

/** A signing secret. It is hidden at first, because screens are shared. */
export function Secret({ secret }: { secret: string }) {
  const [shown, setShown] = useState(false);
  return (
    <span class="secret inline gap-25 breaks">
      <span class="mono">{shown ? secret : `whsec_${'•'.repeat(12)}`}</span>
      <Button kind="quiet small" aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? 'Hide secret' : 'Show secret'}
      </Button>
      <CopyButton text={secret} label="secret" />
    </span>
  );
}
