import { useState } from 'preact/hooks';
import { here, model, type Template } from '../../core/index.js';
import { Card, Detail, idPair, Item, type ItemProps, Time, type Tone, toneOf } from '../../parts/index.js';
import { ButtonDrawing, templateButtons } from '../conversations/bubble.js';
import { filled, variablesOf } from '../conversations/template-choice.js';
import { Variables } from '../conversations/variables.js';
import { Axis } from '../messages/axis.js';
import { type Entry, entryOf } from '../messages/story.js';
import { Decisions } from './decisions.js';

export function TemplateDetail({ id, back }: ItemProps) {
  const { api } = model.value;
  const read = async () => (await api.get('/_sandbox/templates', { query: { id } })).items[0] ?? null;
  return (
    <Item one="template" id={id} back={back} read={read} nouns={['template']}>
      {(template) => {
        const { name, category, language, status, explain, rejection_reason: reason } = template;
        return (
          <Detail
            title={name}
            label={`Template ${name}`}
            back={back}
            tone={tones[status] ?? toneOf(status)}
            words={[status, `${category} · ${language}`, plan(template)]}
            actions={<Decisions template={template} />}
            lead={
              <>
                {reason !== null && <p class="bad breaks">{reason}</p>}
                {status === 'paused' && <p class="soft">The service rejects sends with it until it is resumed.</p>}
              </>
            }
            explain={explain}
            ids={[
              idPair('Template id', id),
              ['Messages', <a href={here('messages', [], { q: name })}>Sent with it</a>],
              ['Deliveries', <a href={here('webhooks', ['deliveries'], { q: id })}>Events about it</a>],
              ['Requests', <a href={here('requests', [], { q: name })}>Calls that name it</a>],
            ]}
          >
            <div class="sides">
              <Preview template={template} />
              <Axis title="History" entries={historyOf(template)} />
            </div>
          </Detail>
        );
      }}
    </Item>
  );
}

const tones: Readonly<Record<string, Tone>> = { pending: 'wait', approved: 'good' };

function historyOf({ history, planned }: Template): Entry[] {
  return [
    ...history.map(({ status, at, by }) =>
      entryOf('event', `${at} ${status}`, at, status, {
        detail: by && `by a ${by}`,
        tone: status === 'rejected' ? 'bad' : 'off',
      }),
    ),
    ...planned.map(({ status, at }) => entryOf('event', `${at} ${status}`, at, status, { ahead: true })),
  ];
}

function plan({ planned: [next], status }: Template) {
  if (!next) return status === 'pending' && 'waits for your review';
  return (
    <>
      {next.status} by itself <Time at={next.at} as="relative" />
    </>
  );
}

function Preview({ template }: { template: Template }) {
  const [values, setValues] = useState<readonly string[]>([]);
  const shown = variablesOf(template, values);
  return (
    <Card title="On a phone">
      <div class="stack phone">
        <p class="phone-bubble" dir="auto">
          {filled(template.text, shown)}
        </p>
        {templateButtons(template.buttons).map(({ id, title, kind, target }) => (
          <p key={id} class="row phone-button" title={target ?? undefined}>
            <ButtonDrawing kind={kind} /> {title}
          </p>
        ))}
      </div>
      <Variables values={shown} onChange={setValues} />
    </Card>
  );
}
