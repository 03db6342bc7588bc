/** One template: its actions, its preview, and its history. */
import { useRef } from 'preact/hooks';
import { here, model, type Template, useRecord } from '../../core/index.js';
import { BackLink, CopyButton, EmptyState, Explanation, Notice, Pair, StatusBadge } from '../../parts/index.js';
import { DecisionButtons } from './decision-buttons.js';
import { History } from './history.js';
import { PlannedWords } from './planned-words.js';
import { Preview } from './preview.js';
import { SentMessages } from './sent-messages.js';

export function TemplateDetail({ id, search }: { readonly id: string; readonly search: string }) {
  const { templates, api } = model.value;
  const template = useRecord(templates, id, (each) => api.get('/_sandbox/templates/{id}', { path: { id: each } }));
  if (template === undefined) return <p class="starting faint">Loading …</p>;
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
      <header class="detail-head row">
        <BackLink href={here('templates', [], { q: search })} label="All templates" />
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
              <Pair name="Id">
                <span class="mono">{id}</span> <CopyButton text={id} label="template id" />
              </Pair>
              <Pair name="Links" class="template-links">
                <a href={here('requests', [], { q: name })}>Requests</a>
                <a href={here('webhooks', ['deliveries'], { q: id })}>Deliveries</a>
              </Pair>
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
      <Notice tone="bad" icon="alert">
        {reason}
      </Notice>
    );
  }
  if (status === 'pending' && planned.length === 0) {
    return <Notice icon="clock">It stays pending until you approve or reject it.</Notice>;
  }
  if (planned.length > 0) {
    return (
      <Notice icon="clock">
        It will be <PlannedWords template={template} />.{' '}
        {status === 'pending' && 'Approve or reject it now to decide earlier.'}
      </Notice>
    );
  }
  if (status === 'paused') {
    return (
      <Notice tone="warn" icon="pause">
        The service rejects sends with it until it is resumed.
      </Notice>
    );
  }
  return null;
}
