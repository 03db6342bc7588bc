/** One template: its actions, its preview, and its history. */
import { useId, useRef } from 'preact/hooks';
import { draft, here, model, type Template, useRecord } from '../../core/index.js';
import {
  BackLink,
  Button,
  Card,
  CopiedPair,
  EmptyState,
  Explanation,
  Icon,
  Loading,
  Notice,
  Pair,
  StatusBadge,
  TextInput,
} from '../../parts/index.js';
import { templateButtons } from '../handset/actions.js';
import { DecisionButtons } from './decision-buttons.js';
import { History, PlannedWords, SentMessages } from './history.js';
import { filledPieces, sampleValues } from './sample.js';

export function TemplateDetail({ id, search }: { id: string; search: string }) {
  const { templates } = model.value;
  const template = useRecord(templates, id);
  if (template === undefined) return <Loading />;
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

function Shown({ template, search }: { template: Template; search: string }) {
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
      <div class="template-columns grid gap-100">
        <Preview template={template} />
        <div class="grid gap-100 shrinks">
          <History template={template} />
          <Card title="Why">
            <Explanation explain={explain} />
            <dl class="pairs template-ids">
              <CopiedPair name="Id" text={id} label="template id" />
              <Pair name="Links" class="template-links">
                <a href={here('requests', [], { q: name })}>Requests</a>
                <a href={here('webhooks', ['deliveries'], { q: id })}>Deliveries</a>
              </Pair>
            </dl>
          </Card>
          <SentMessages template={template} />
        </div>
      </div>
    </article>
  );
}

/** What the template's state means for the application. */
function State({ template }: { template: Template }) {
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

function Preview({ template }: { template: Template }) {
  const samples = sampleValues(template);
  const written = draft<Readonly<Record<number, string>>>(`template-sample/${model.value.key}/${template.id}`, {});
  const values = samples.map((sample, at) => written.value[at] ?? sample);
  const id = useId();
  const buttons = templateButtons(template.buttons);
  return (
    <Card title="Preview">
      <div class="grid gap-100">
        <div class="phone curved-14 stack" role="group" aria-label="On a phone">
          <div class="phone-bubble">
            <p class="phone-text breaks" dir="auto">
              {filledPieces(template.text, values).map(({ text, variable }, at) =>
                variable === null ? text : <mark key={at}>{text}</mark>,
              )}
            </p>
          </div>
          {buttons.map(({ id: key, title, kind, target }) => (
            <p key={key} class="phone-button accent-ink curved-10 gap-40 line breaks" title={target ?? undefined}>
              <Icon
                name={kind === 'tap' ? 'reply' : kind === 'url' ? 'link' : kind === 'copy_code' ? 'copy' : 'person'}
                size={14}
              />
              {title}
            </p>
          ))}
        </div>
        <div class="stack gap-50">
          {values.length === 0 && <p class="faint">No variables.</p>}
          {values.map((value, at) => (
            <div key={at} class="sample grid gap-50">
              <label for={`${id}-${at}`} class="mono">
                {`{{${at + 1}}}`}
              </label>
              <TextInput
                id={`${id}-${at}`}
                dir="auto"
                value={value}
                onText={(next) => (written.value = { ...written.value, [at]: next })}
              />
            </div>
          ))}
          <p class="wraps gap-25">
            <a
              class="button small"
              href={here('send', ['template'], {
                template: `${template.name} ${template.language}`,
                ...Object.fromEntries(values.map((value, at) => [`variable ${at + 1}`, value])),
              })}
            >
              <Icon name="send" size={14} /> Send template
            </a>
            {Object.keys(written.value).length > 0 && (
              <Button
                kind="quiet small"
                onClick={() => {
                  written.value = {};
                }}
              >
                Restore samples
              </Button>
            )}
          </p>
        </div>
      </div>
    </Card>
  );
}
