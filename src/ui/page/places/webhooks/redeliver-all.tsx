import { useState } from 'preact/hooks';
import { act, allOf, counted, model, toast } from '../../core/index.js';
import { Button } from '../../parts/index.js';

/** States in which the sandbox sends a delivery only on request. */
export const stuck = ['held', 'failed'] as const;

interface Props {
  readonly query: object;
  readonly states: readonly (typeof stuck)[number][];
}

/** One after another, oldest first, until one cannot be sent. */
export function RedeliverAll({ query, states }: Props) {
  const { api } = model.value;
  const [progress, setProgress] = useState<string | null>(null);
  const stuckIn = (state: Props['states'][number]) =>
    allOf((page) => api.get('/_sandbox/deliveries', { query: { ...query, state, ...page } }));
  const redeliver = async () => {
    setProgress('');
    const found = (await act(Promise.all(states.map(stuckIn))))?.flat() ?? [];
    let count = 0;
    for (const { id } of found) {
      setProgress(`${count + 1} of ${found.length}`);
      if ((await act(api.post('/_sandbox/deliveries/{id}/redeliver', { path: { id } }))) === null) break;
      count += 1;
    }
    setProgress(null);
    if (count > 0) toast('good', `${counted(count, 'delivery', 'deliveries')} redelivered.`);
  };
  return (
    <Button
      kind="low"
      icon="send"
      aria-disabled={progress !== null}
      onClick={() => {
        if (progress === null) void redeliver();
      }}
    >
      {progress === null ? 'Redeliver all' : `Redelivering ${progress} …`}
    </Button>
  );
}
