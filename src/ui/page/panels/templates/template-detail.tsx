/** One template: its actions, its preview, and its history. */
import { useRef } from 'preact/hooks';
import { model } from '../../core/current.js';
import { here } from '../../core/location.js';
import { wide } from '../../core/media.js';
import type { Template } from '../../core/records.js';
import { useRecord } from '../../core/use-record.js';
import { CopyButton } from '../../parts/copy-button.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Explanation } from '../../parts/explanation.js';
import { Icon } from '../../parts/icon.js';
import { StatusBadge } from '../../parts/status-badge.js';
import { DecisionButtons } from './decision-buttons.js';
import { History } from './history.js';
import { PlannedWords } from './planned-words.js';
import { Preview } from './preview.js';
import { SentMessages } from './sent-messages.js';

interface Props {
  readonly id: string;
  readonly search: string;
}

export function TemplateDetail({ id, search }: Props) {
  const { templates, api } = model.value;
  const template = useRecord(templates, id, (each) => api.get('/_sandbox/templates/{id}', { path: { id: each } }));
  if (template === undefined) return <p class="starting">Loading …</p>;
  if (template === null) {
    return (
      <EmptyState icon="template" title="This template does not exist">
        <p>The account has none with the id {id}. It may have been reset.</p>
        <a href={here('templates')}>All templates</a>
      </EmptyState>
    );
  }
  return <Shown template={template} search={search} />;
}

function Shown({ template, search }: { readonly template: Template; readonly search: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  const { id, name, category, language, status, explain } = template;
  return (
    <article class="detail" aria-label={`Template ${name}`}>
      <header class="detail-head">
        {!wide.value && (
          <a class="icon-button" href={here('templates', [], { q: search })} aria-label="All templates">
            <Icon name="back" />
          </a>
        )}
        <div class="detail-title">
          <h2 ref={title} tabIndex={-1}>
            {name} <StatusBadge status={status} />
          </h2>
          <p class="faint">
            {category} · {language}
          </p>
        </div>
        <div class="detail-actions">
          <DecisionButtons template={template} onDone={() => title.current?.focus()} />
        </div>
      </header>
      <State template={template} />
      <div class="template-columns">
        <Preview template={template} />
        <div class="template-column">
          <History template={template} />
          <section class="card" aria-label="Why">
            <h3>Why</h3>
            <Explanation explain={explain} />
            <dl class="pairs template-ids">
              <dt>Id</dt>
              <dd>
                <span class="mono">{id}</span> <CopyButton text={id} label="template id" />
              </dd>
              <dt>Links</dt>
              <dd class="template-links">
                <a href={here('requests', [], { q: name })}>Requests</a>
                <a href={here('webhooks', ['deliveries'], { q: id })}>Deliveries</a>
              </dd>
            </dl>
          </section>
          <SentMessages template={template} />
        </div>
      </div>
    </article>
  );
}

/** What the template's state means for the application. */
function State({ template }: { readonly template: Template }) {
  const { status, planned, rejection_reason: reason } = template;
  if (status === 'rejected') {
    return (
      <p class="notice bad">
        <Icon name="alert" size={16} />
        <span>{reason}</span>
      </p>
    );
  }
  if (status === 'pending' && planned.length === 0) {
    return (
      <p class="notice">
        <Icon name="clock" size={16} />
        <span>It stays pending until you approve or reject it.</span>
      </p>
    );
  }
  if (planned.length > 0) {
    return (
      <p class="notice">
        <Icon name="clock" size={16} />
        <span>
          It will be <PlannedWords template={template} />.{' '}
          {status === 'pending' && 'Approve or reject it now to decide earlier.'}
        </span>
      </p>
    );
  }
  if (status === 'paused') {
    return (
      <p class="notice warn">
        <Icon name="pause" size={16} />
        <span>The service rejects sends with it until it is resumed.</span>
      </p>
    );
  }
  return null;
}
