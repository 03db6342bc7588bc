import { useState } from 'preact/hooks';
import { act, model, type Template, toast } from '../../core/index.js';
import { AreaField, Button, Check, FormDialog } from '../../parts/index.js';

type To = 'approved' | 'rejected' | 'paused' | 'deleted';

const choices: Readonly<Record<Template['status'], readonly To[]>> = {
  pending: ['approved', 'rejected', 'deleted'],
  approved: ['paused', 'deleted'],
  paused: ['approved', 'deleted'],
  rejected: ['deleted'],
  deleted: [],
};

function wordsOf(to: To, from: Template['status']): string {
  if (to === 'approved') return from === 'paused' ? 'Resume' : 'Approve';
  return { rejected: 'Reject …', paused: 'Pause', deleted: 'Delete …' }[to];
}

export const usualReasons = [
  'The category is wrong: the content is marketing.',
  'A placeholder is at the very beginning or end of the body, or next to another one.',
  'The body is not in the chosen language.',
  'The body asks for a password, a card number or other sensitive data.',
  'The content promotes something that the commerce policy does not allow.',
  'The content is threatening or insulting.',
  'Another template already has the same content.',
] as const;

export function Decisions({ template, inList = false }: { template: Template; inList?: boolean }) {
  const [asking, setAsking] = useState<To | null>(null);
  const close = () => setAsking(null);
  const shown = choices[template.status].filter((to) => !inList || to !== 'deleted');
  const take = (to: To) => {
    if (to === 'rejected' || to === 'deleted') setAsking(to);
    else void act(decide(template, to));
  };
  return (
    <>
      {shown.map((to) => (
        <Button
          key={to}
          kind={`low ${{ approved: inList ? '' : 'primary', deleted: 'danger', rejected: inList ? 'wide' : '', paused: '' }[to]}`}
          aria-label={inList ? `${wordsOf(to, template.status)} ${template.name}` : undefined}
          onClick={() => take(to)}
          words={wordsOf(to, template.status)}
        />
      ))}
      {asking === 'rejected' && <RejectDialog template={template} onClose={close} />}
      {asking === 'deleted' && (
        <FormDialog
          title={`Delete ${template.name}`}
          does="Delete"
          danger
          onClose={close}
          onSubmit={() => decide(template, 'deleted')}
        >
          <p>
            The service then rejects sends with it. It can still be looked up as “deleted”, and its name stays taken.
            Deletion is permanent, and no event reports it.
          </p>
        </FormDialog>
      )}
    </>
  );
}

async function decide(template: Template, to: To, reason?: string): Promise<void> {
  const { api } = model.value;
  const { id, name, status } = template;
  const path = { id };
  const review = status === 'pending' && (to === 'approved' || to === 'rejected');
  await (review
    ? api.post('/_sandbox/templates/{id}/review', { path, body: { decision: to, ...(reason && { reason }) } })
    : api.post('/_sandbox/templates/{id}/status', { path, body: { status: to === 'rejected' ? 'deleted' : to } }));
  toast('good', `${name} is ${to}.`);
}

function RejectDialog({ template, onClose }: { template: Template; onClose: () => void }) {
  const [reason, setReason] = useState<string>(usualReasons[0]);
  const words = reason.trim();
  return (
    <FormDialog
      title={`Reject ${template.name}`}
      does="Reject"
      danger
      onClose={onClose}
      disabled={words === ''}
      onSubmit={() => decide(template, 'rejected', words)}
    >
      <fieldset>
        <legend>Usual reasons</legend>
        {usualReasons.map((each) => (
          <Check key={each} type="radio" name="reason" checked={reason === each} onCheck={() => setReason(each)}>
            {each}
          </Check>
        ))}
      </fieldset>
      <AreaField
        label="Reason"
        hint="It appears as rejection_reason in the template and its template.status event."
        error={words === '' ? 'A reason is missing. Write one, or choose one above.' : null}
        rows={3}
        maxLength={1024}
        value={reason}
        onText={setReason}
      />
    </FormDialog>
  );
}
