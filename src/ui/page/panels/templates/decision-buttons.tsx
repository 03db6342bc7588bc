/** The platform owner's actions for a template, as buttons. */
import { useState } from 'preact/hooks';
import type { Template } from '../../core/index.js';
import { FormDialog } from '../../parts/index.js';
import { decide } from './decide.js';
import { decisionsFor, type Decision } from './queue.js';
import { RejectDialog } from './reject-dialog.js';

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

function DeleteDialog({ template, onClose }: { readonly template: Template; readonly onClose: () => void }) {
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
