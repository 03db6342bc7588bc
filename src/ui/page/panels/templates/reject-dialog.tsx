/** Asks for the reason of a rejection: a usual one, or another text. */
import { useState } from 'preact/hooks';
import type { Template } from '../../core/index.js';
import { Field, FormDialog } from '../../parts/index.js';
import { decide } from './decide.js';
import { usualReasons } from './queue.js';

/** Longest reason, in characters. */
const longest = 1024;

export function RejectDialog({ template, onClose }: { readonly template: Template; readonly onClose: () => void }) {
  const [reason, setReason] = useState<string>(usualReasons[0]);
  const words = reason.trim();
  const reject = async () => {
    if (await decide(template, 'rejected', words)) onClose();
  };
  return (
    <FormDialog
      title={`Reject ${template.name}`}
      onClose={onClose}
      does="Reject"
      danger
      disabled={words === ''}
      onSubmit={() => {
        if (words !== '') void reject();
      }}
    >
      <fieldset class="choice reasons">
        <legend>Usual reasons</legend>
        {usualReasons.map((each) => (
          <label key={each}>
            <input type="radio" name="reason" checked={reason === each} onChange={() => setReason(each)} />
            <span>{each}</span>
          </label>
        ))}
      </fieldset>
      <Field
        label="Reason"
        hint="It appears as rejection_reason in the template and its template.status event."
        error={words === '' ? 'A reason is missing. Write one, or choose one above.' : null}
      >
        <textarea
          rows={3}
          maxLength={longest}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </Field>
    </FormDialog>
  );
}
