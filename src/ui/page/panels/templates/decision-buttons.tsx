/** The platform owner's actions for a template, as buttons. */
import { useState } from 'preact/hooks';
import { act } from '../../core/api.js';
import { model } from '../../core/current.js';
import type { Template } from '../../core/index.js';
import { Check, Field, FormDialog, TextArea } from '../../parts/index.js';
import { type Decision, decisionsFor, usualReasons } from './queue.js';

interface Props {
  readonly template: Template;
  /** Only the review buttons: the list has little room. */
  readonly reviewOnly?: boolean;
  /** Receives the focus when the buttons change. */
  readonly onDone: () => void;
}

export function DecisionButtons({ template, reviewOnly = false, onDone }: Props) {
  const [asking, setAsking] = useState<'rejected' | 'deleted' | null>(null);
  const decisions = decisionsFor(template.status).filter(({ to }) => !reviewOnly || to !== 'deleted');
  const take = async (to: Decision['to']) => {
    if (to === 'rejected' || to === 'deleted') setAsking(to);
    else if (await decide(template, to)) onDone();
  };
  const close = () => {
    setAsking(null);
    onDone();
  };
  return (
    <>
      {decisions.map(({ to, words }) => (
        <button
          key={to}
          type="button"
          class={`button${reviewOnly ? ' small' : ''}${to === 'approved' ? ' primary' : to === 'deleted' ? ' danger' : ''}`}
          aria-label={reviewOnly ? `${words} ${template.name}` : undefined}
          onClick={() => void take(to)}
        >
          {words}
        </button>
      ))}
      {asking === 'rejected' && <RejectDialog template={template} onClose={close} />}
      {asking === 'deleted' && <DeleteDialog template={template} onClose={close} />}
    </>
  );
}

function DeleteDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  return (
    <FormDialog
      title={`Delete ${template.name}`}
      onClose={onClose}
      does="Delete"
      danger
      onSubmit={() => {
        void decide(template, 'deleted').then((done) => {
          if (done) onClose();
        });
      }}
    >
      <p>
        The service then rejects sends with it. It can still be looked up as “deleted”, and its name stays taken.
        Deletion is permanent, and no event reports it.
      </p>
    </FormDialog>
  );
}

/** @returns whether it succeeded; an error is shown */
async function decide(template: Template, to: Decision['to'], reason?: string): Promise<boolean> {
  const { api, templates } = model.value;
  const { id, name, status } = template;
  const path = { id };
  const call =
    status === 'pending' && to !== 'deleted' && to !== 'paused'
      ? api.post('/_sandbox/templates/{id}/review', {
          path,
          body: { decision: to, ...(reason !== undefined && { reason }) },
        })
      : api.post('/_sandbox/templates/{id}/status', {
          path,
          body: { status: to === 'rejected' ? 'deleted' : to },
        });
  const changed = await act(call, `${name} is ${to}.`);
  if (changed && templates.get(id)) templates.put(changed);
  return changed !== null;
}

/** Longest reason, in characters. */
const longest = 1024;

function RejectDialog({ template, onClose }: { template: Template; onClose: () => void }) {
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
          <Check key={each} type="radio" name="reason" checked={reason === each} onCheck={() => setReason(each)}>
            <span>{each}</span>
          </Check>
        ))}
      </fieldset>
      <Field
        label="Reason"
        hint="It appears as rejection_reason in the template and its template.status event."
        error={words === '' ? 'A reason is missing. Write one, or choose one above.' : null}
      >
        <TextArea rows={3} maxLength={longest} value={reason} onText={setReason} />
      </Field>
    </FormDialog>
  );
}
