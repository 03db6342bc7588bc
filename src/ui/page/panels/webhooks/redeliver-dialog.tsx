/** Redelivers with a fault. */
import { useState } from 'preact/hooks';
import { act } from '../../core/api.js';
import { model } from '../../core/current.js';
import type { Delivery } from '../../core/records.js';
import { Dialog } from '../../parts/dialog.js';
import { DialogAnswers } from '../../parts/dialog-answers.js';
import { noFault, slotOf } from './fault.js';
import { FaultFields } from './fault-fields.js';

interface Props {
  readonly delivery: Delivery;
  readonly onClose: () => void;
}

export function RedeliverDialog({ delivery, onClose }: Props) {
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
    <Dialog title="Redeliver with a fault" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <FaultFields value={fault} onChange={setFault} />
        <DialogAnswers does="Redeliver" onClose={onClose} />
      </form>
    </Dialog>
  );
}
