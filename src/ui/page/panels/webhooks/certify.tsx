/** Certifies an endpoint: runs every check against it, and shows the score. */
import { useState } from 'preact/hooks';
import { act, type Certification, model } from '../../core/index.js';
import { Button, HelpLink, Icon, StatusBadge } from '../../parts/index.js';

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
    <section class="grid gap-50" aria-label="Certification">
      <p class="detail-actions">
        <Button kind="small" icon="check" aria-disabled={busy} aria-busy={busy} onClick={() => void certify()}>
          {busy ? 'Certifying …' : 'Certify'}
        </Button>
        <span class="hint">
          Sends valid, forged and corrupt events to the receiver. <HelpLink page="certify.md">What it checks</HelpLink>
        </span>
      </p>
      <div role="status">{report && <Report of={report} />}</div>
    </section>
  );
}

function Report({ of: { certified, score, required, notes, checks, unreachable } }: { of: Certification }) {
  if (unreachable !== null) return <p class="notice toned breaks bad">{unreachable}</p>;
  const failed = checks.filter(({ result }) => result === 'failed');
  const skipped = checks.length - score.total;
  return (
    <>
      <p class={`certification-score gap-50 row ${certified ? 'good' : 'bad'}`}>
        <Icon name={certified ? 'check' : 'close'} size={18} />
        <span class="strong">{certified ? 'Certified' : 'Not certified'}</span>
        <span>
          {score.passed} of {score.total} checks passed, {required.passed} of {required.total} required
          {skipped > 0 && `; ${skipped} skipped`}
        </span>
      </p>
      {notes.map((note) => (
        <p key={note} class="notice toned breaks warn">
          {note}
        </p>
      ))}
      {failed.length > 0 && (
        <ul class="certification-checks grid gap-60 breaks" aria-label="Failed checks">
          {failed.map(({ id, title, level, found, expected, why }) => (
            <li key={id}>
              <p>
                <StatusBadge status={level} tone={level === 'required' ? 'bad' : 'warn'} />{' '}
                <HelpLink page={`certify.md#${anchorOf(title)}`}>{title}</HelpLink>
              </p>
              <p>
                Expected: {expected} Found: {found}
              </p>
              <p class="faint">{why}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Returns the anchor of a heading in the documentation. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}
