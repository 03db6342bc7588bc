import { useState } from 'preact/hooks';
import { act, type Certification, model } from '../../core/index.js';
import { Button, Card, HelpLink, Notice, State } from '../../parts/index.js';

export function Certify({ id }: { id: string }) {
  const { api } = model.value;
  const [busy, setBusy] = useState(false);
  const [report, setReport] = useState<Certification | null>(null);
  const certify = async () => {
    if (busy) return;
    setBusy(true);
    setReport(await act(api.post('/_sandbox/webhooks/{id}/certify', { path: { id } })));
    setBusy(false);
  };
  return (
    <Card title="Certification">
      <div class="row">
        <p class="hint grow">
          Sends valid, forged and corrupt events to the receiver, and says what it got wrong.{' '}
          <HelpLink page="certify.md">What it checks</HelpLink>
        </p>
        <Button kind="low" icon="check" aria-disabled={busy} aria-busy={busy} onClick={() => void certify()}>
          {busy ? 'Certifying …' : 'Certify'}
        </Button>
      </div>
      <div role="status">{report && <Report of={report} />}</div>
    </Card>
  );
}

function Report({ of: { certified, score, required, notes, checks, unreachable } }: { of: Certification }) {
  if (unreachable !== null) return <Notice tone="bad">{unreachable}</Notice>;
  const failed = checks.filter(({ result }) => result === 'failed');
  return (
    <div class="stack">
      <Notice tone={certified ? 'good' : 'bad'} icon={certified ? 'check' : 'close'}>
        <span class="strong">{certified ? 'Certified' : 'Not certified'}</span>: {score.passed} of {score.total} checks
        passed, {required.passed} of {required.total} required
      </Notice>
      {notes.map((note) => (
        <Notice key={note} tone="warn">
          {note}
        </Notice>
      ))}
      <ul class="stack small" aria-label="Failed checks">
        {failed.map(({ id, title, level, found, expected, why }) => (
          <li key={id}>
            <p>
              <State status={level} tone={level === 'required' ? 'bad' : 'warn'} />{' '}
              <HelpLink page="certify.md#the-checks">{title}</HelpLink>
            </p>
            <p>
              Expected: {expected} Found: {found}
            </p>
            <p class="soft">{why}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
