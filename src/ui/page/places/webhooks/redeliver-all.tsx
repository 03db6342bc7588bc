import { useRef, useState } from 'preact/hooks';
import { act, allOf, counted, model, toast } from '../../core/index.js';
import { Button } from '../../parts/index.js';

/** States in which the sandbox sends a delivery only on request. */
export const stuck = ['held', 'failed'] as const;

type Stuck = (typeof stuck)[number];

/** One after another, oldest first, until one cannot be sent, or one stops it. */
export function RedeliverAll({ query, states }: { query: object; states: readonly Stuck[] }) {
  const { api } = model.value;
  const [progress, setProgress] = useState<string | null>(null);
  const stopped = useRef(false);
  const isStopped = () => stopped.current;
  const stuckIn = (state: Stuck) =>
    allOf((page) => api.get('/_sandbox/deliveries', { query: { ...query, state, ...page } }));
  const redeliver = async () => {
    setProgress('');
    stopped.current = false;
    const found = (await act(Promise.all(states.map(stuckIn))))?.flat() ?? [];
    let count = 0;
    for (const { id } of found) {
      setProgress(` (${count + 1} of ${found.length})`);
      const call = () => api.post('/_sandbox/deliveries/{id}/redeliver', { path: { id } });
      if (isStopped() || (await act(call())) === null) break;
      count += 1;
    }
    setProgress(null);
    if (count > 0) toast('good', `${counted(count, 'delivery', 'deliveries')} redelivered.`);
  };
  return (
    <Button
      kind="low"
      icon={progress === null ? 'send' : 'close'}
      onClick={() => {
        if (progress === null) void redeliver();
        else stopped.current = true;
      }}
      words={progress === null ? 'Redeliver all' : `Stop${progress}`}
    />
  );
}
