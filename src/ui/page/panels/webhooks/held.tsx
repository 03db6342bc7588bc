/** What an endpoint was owed while it was paused: nothing of it goes out by itself. */
import { useEffect, useState } from 'preact/hooks';
import { act } from '../../core/api.js';
import { model } from '../../core/current.js';
import type { Endpoint } from '../../core/records.js';
import { toast } from '../../core/toasts.js';
import { Icon } from '../../parts/icon.js';
import { deliveriesHref } from './place.js';

/** Asked for in one page. */
const most = 1000;

export function Held({ endpoint: { id, status, updated_at: updated } }: { readonly endpoint: Endpoint }) {
  const { api, deliveries } = model.value;
  const [count, setCount] = useState(0);
  const [busy, setBusy] = useState(false);
  const version = deliveries.version.value;
  const read = () =>
    api.get('/_sandbox/deliveries', { query: { webhook_id: id, state: 'held', limit: most } }).then(({ items }) => items);
  useEffect(() => deliveries.ensure(), [deliveries]);
  useEffect(() => {
    let wanted = true;
    // A refusal shows elsewhere: the connection, or the list.
    read().then(
      (items) => wanted && setCount(items.length),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [api, id, status, updated, version]);
  if (count === 0) return null;
  const redeliver = async () => {
    setBusy(true);
    const items = (await act(read())) ?? [];
    let done = 0;
    for (const each of items) {
      if (!(await act(api.post('/_sandbox/deliveries/{id}/redeliver', { path: { id: each.id } })))) break;
      done += 1;
    }
    setBusy(false);
    if (done > 0) toast('good', `${done} ${done === 1 ? 'delivery is' : 'deliveries are'} tried again.`);
  };
  return (
    <section class="card held" aria-label="Held deliveries">
      <p>
        <a href={deliveriesHref({ endpoint: id, state: 'held' })}>
          {count === most ? `${most} or more` : count} held {count === 1 ? 'delivery' : 'deliveries'}
        </a>
        : {status === 'paused' ? 'set the endpoint active, then redeliver.' : 'they wait until somebody redelivers them.'}
      </p>
      {status === 'active' && (
        <button type="button" class="button" disabled={busy} onClick={() => void redeliver()}>
          <Icon name="reply" size={16} /> Redeliver all
        </button>
      )}
    </section>
  );
}
