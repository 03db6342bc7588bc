/** Deliveries that were held while an endpoint was paused. They are not sent automatically. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { act, type Endpoint, model, toast } from '../../core/index.js';
import { Button } from '../../parts/index.js';
import { deliveriesHref } from './place.js';

export function Held({ endpoint: { id, status } }: { readonly endpoint: Endpoint }) {
  const { api, deliveries } = model.value;
  const [busy, setBusy] = useState(false);
  const version = deliveries.version.value;
  useEffect(() => deliveries.ensureAll(), [deliveries]);
  const held = useMemo(
    () => deliveries.rows.filter((row) => row.webhook_id === id && row.state === 'held'),
    [deliveries, version, id],
  );
  if (held.length === 0) return null;
  const redeliver = async () => {
    setBusy(true);
    let done = 0;
    for (const each of held) {
      if (!(await act(api.post('/_sandbox/deliveries/{id}/redeliver', { path: { id: each.id } })))) break;
      done += 1;
    }
    setBusy(false);
    if (done > 0) toast('good', `${done} ${done === 1 ? 'delivery is' : 'deliveries are'} redelivered.`);
  };
  return (
    <section class="card held" aria-label="Held deliveries">
      <p>
        <a href={deliveriesHref({ endpoint: id, state: 'held' })}>
          {held.length} held {held.length === 1 ? 'delivery' : 'deliveries'}
        </a>
        : {status === 'paused' ? 'set the endpoint active, then redeliver.' : 'they wait until they are redelivered.'}
      </p>
      {status === 'active' && (
        <Button icon="reply" disabled={busy} onClick={() => void redeliver()}>
          Redeliver all
        </Button>
      )}
    </section>
  );
}
