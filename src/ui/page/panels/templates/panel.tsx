/** Template review: templates that wait for the platform owner, and all others. */
import { useEffect, useRef } from 'preact/hooks';
import { here, model, replace, type Route, type Template } from '../../core/index.js';
import { EmptyState, SearchField, Split, StatusBadge, VirtualList } from '../../parts/index.js';
import { DecisionButtons } from './decision-buttons.js';
import { PlannedWords } from './history.js';
import { deskLines, keyOfLine } from './queue.js';
import { TemplateDetail } from './template-detail.js';
import './templates.css';

/** `templates/ID`; `?q=` searches. */
export function Templates({ route }: { route: Route }) {
  const [id] = route.path;
  const search = route.query['q'] ?? '';
  return (
    <Split
      list={<TemplateList current={id} search={search} />}
      detail={id === undefined ? null : <TemplateDetail key={id} id={id} search={search} />}
      none={
        <EmptyState icon="template" title="No template is open">
          <p>Choose one on the left to see it on a phone. Approve or reject pending templates in the list.</p>
        </EmptyState>
      }
    />
  );
}

function TemplateList({ current, search }: { current: string | undefined; search: string }) {
  const { templates } = model.value;
  const state = templates.state.value;
  // Sorting by state needs all templates.
  useEffect(() => templates.ensureAll(), [templates]);
  const lines = deskLines(templates.rows, search);
  return (
    <>
      <header class="list-head row">
        <SearchField
          label="Search templates"
          placeholder="Name, language or text"
          value={search}
          onChange={(q) => replace(here('templates', current === undefined ? [] : [current], { q }))}
        />
      </header>
      {state === 'ready' && lines.length === 0 ? (
        <NoTemplates search={search} />
      ) : (
        <VirtualList
          label="Templates"
          rows={lines}
          keyOf={keyOfLine}
          estimate={76}
          reveal={current}
          row={(line) =>
            line.kind === 'template' ? (
              <Entry template={line.template} current={line.template.id === current} search={search} />
            ) : (
              <h2 class={`desk-heading faint line small-text ${line.state}`}>
                {line.title} <span class="tab-count tiny-text">{line.count}</span>
              </h2>
            )
          }
        />
      )}
    </>
  );
}

function Entry({ template, current, search }: { template: Template; current: boolean; search: string }) {
  const { id, name, category, language, status, text } = template;
  const link = useRef<HTMLAnchorElement>(null);
  return (
    <div class={`list-entry grid ruled relative${current ? ' current' : ''}`}>
      <p class="gap-50 line">
        <a
          ref={link}
          class="row-link fills strong cut"
          href={here('templates', [id], { q: search })}
          aria-current={current ? 'true' : undefined}
        >
          {name}
        </a>
        <StatusBadge status={status} />
      </p>
      <p class="desk-glimpse cut small-text" dir="auto">
        {text}
      </p>
      <p class="desk-facts tiny-text figures faint">
        {category} · {language}
        {template.planned.length > 0 && ' · '}
        <PlannedWords template={template} />
      </p>
      {status === 'pending' && (
        <p class="desk-buttons flex gap-50 above relative">
          <DecisionButtons template={template} reviewOnly onDone={() => link.current?.focus()} />
        </p>
      )}
    </div>
  );
}

function NoTemplates({ search }: { search: string }) {
  if (search !== '') {
    return (
      <EmptyState icon="search" title="No template matches">
        <p>None contains “{search}” in its name, language, category or text.</p>
      </EmptyState>
    );
  }
  const body = '{"name":"order_shipped","category":"utility","language":"en","body":"Order {{1}} left."}';
  return (
    <EmptyState
      icon="template"
      title="No templates yet"
      command={`curl -s ${location.origin}/v1/templates \\\n  -H 'Authorization: Bearer ${model.value.key}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`}
    >
      <p>Templates that your application submits appear here for review. Submit one under Send, or run:</p>
    </EmptyState>
  );
}
