/** Redelivers with a fault. */
import { useState } from 'preact/hooks';
import { act, type Delivery, model } from '../../core/index.js';
import { FormDialog } from '../../parts/index.js';
import { noFault, slotOf } from './fault.js';
import { FaultFields } from './fault-fields.js';

export function RedeliverDialog({ delivery, onClose }: { readonly delivery: Delivery; readonly onClose: () => void }) {
  const [fault, setFault] = useState({ ...noFault, signature: 'wrong_secret' as (typeof noFault)['signature'] });
  const send = async () => {
    const webhook = slotOf(fault);
    const done = await act(
      model.value.api.post('/_sandbox/deliveries/{id}/redeliver', {
        path: { id: delivery.id },
        body: { ...(webhook && { webhook }) },
      }),
    );
    if (done) onClose();
  };
  return (
    <FormDialog title="Redeliver with a fault" onClose={onClose} does="Redeliver" onSubmit={send}>
      <FaultFields value={fault} onChange={setFault} />
    </FormDialog>
  );
}
