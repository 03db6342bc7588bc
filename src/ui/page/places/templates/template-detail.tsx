/** One template: its state, how it looks on a phone, and its history. */
import { useState } from 'preact/hooks';
import { done, here, model, type Template, useRead } from '../../core/index.js';
import {
  Answer,
  Card,
  Copied,
  Detail,
  Empty,
  Field,
  Icon,
  Loading,
  More,
  Pairs,
  State,
  TextInput,
  Time,
  type Tone,
  Why,
} from '../../parts/index.js';
import { templateButtons } from '../conversations/actions.js';
import { filled, sampleValues } from '../conversations/template-choice.js';
import { DeliveryRows } from '../messages/delivery-rows.js';
import { Decisions } from './decisions.js';

export function TemplateDetail({ id, back }: { id: string; back: string }) {
  const { api } = model.value;
  const read = useRead(
    `template ${id}`,
    async () => {
      const [template] = (await done(api.GET('/_sandbox/templates', { params: { query: { id } } }))).items;
      if (!template) return null;
      const query = { search: id, limit: 20, order: 'desc' as const };
      const deliveries = await done(api.GET('/_sandbox/deliveries', { params: { query } }));
      return { template, deliveries: deliveries.items };
    },
    ['template', 'delivery'],
  ).value;
  if (read === undefined) return <Loading />;
  if (read === null) {
    return (
      <Empty title="This template does not exist">
        <p>
          The account has none with the id {id}. It may have been reset. <a href={back}>All templates</a>
        </p>
      </Empty>
    );
  }
  const { template, deliveries } = read;
  const { name, category, language, status, explain, rejection_reason: reason, history } = template;
  return (
    <Detail
      title={name}
      label={`Template ${name}`}
      back={back}
      answer={
        <Answer
          tone={tones[status]}
          words={[status, `${category} · ${language}`, <Planned key="p" template={template} />]}
        >
          <Decisions template={template} />
        </Answer>
      }
    >
      {reason !== null && <p class="bad breaks">{reason}</p>}
      {status === 'paused' && <p class="soft">The service rejects sends with it until it is resumed.</p>}
      <Why explain={explain} />
      <div class="sides">
        <Preview template={template} />
        <Card title="History">
          <ol class="axis">
            {history.map(({ status: each, at, by }, index) => (
              <li key={index}>
                <Time at={at} />
                <span class={`lamp ${tones[each]}`} aria-hidden="true" />
                <span>
                  {each} {by && <span class="soft">by a {by === 'command' ? 'command' : 'timeline'}</span>}
                </span>
              </li>
            ))}
            {template.planned.map(({ status: each, at }, index) => (
              <li key={`planned ${index}`} class="ahead">
                <Time at={at} />
                <span class="lamp" aria-hidden="true" />
                <span>
                  {each} <State status="planned" tone="wait" />
                </span>
              </li>
            ))}
          </ol>
        </Card>
      </div>
      {deliveries.length > 0 && (
        <Card title="Deliveries">
          <DeliveryRows of={deliveries} />
        </Card>
      )}
      <More title="Ids and links">
        <Pairs
          of={[
            ['Template id', <Copied key="id" text={id} label="template id" />],
            [
              'Messages',
              <a key="m" href={here('messages', [], { q: name })}>
                Sent with it
              </a>,
            ],
            [
              'Requests',
              <a key="r" href={here('requests', [], { q: name })}>
                Calls that name it
              </a>,
            ],
          ]}
        />
      </More>
    </Detail>
  );
}

const tones: Readonly<Record<Template['status'], Tone>> = {
  pending: 'wait',
  approved: 'good',
  rejected: 'bad',
  paused: 'warn',
  deleted: 'off',
};

function Planned({ template: { planned, status } }: { template: Template }) {
  const [next] = planned;
  if (next) {
    return (
      <>
        {next.status} by itself <Time at={next.at} as="relative" />
      </>
    );
  }
  return <>{status === 'pending' ? 'waits for your review' : ''}</>;
}

const drawings = { tap: 'reply', url: 'link', copy_code: 'copy', phone_number: 'person' } as const;

function Preview({ template }: { template: Template }) {
  const samples = sampleValues(template);
  const [values, setValues] = useState<readonly string[]>(samples);
  return (
    <Card title="On a phone">
      <div class="phone">
        <p class="phone-bubble" dir="auto">
          {filled(template.text, values)}
        </p>
        {templateButtons(template.buttons).map(({ id, title, kind, target }) => (
          <p key={id} class="phone-button" title={target ?? undefined}>
            <Icon name={drawings[kind]} size={14} /> {title}
          </p>
        ))}
      </div>
      {samples.length > 0 && (
        <div class="variables">
          {samples.map((sample, at) => (
            <Field key={at} label={`{{${at + 1}}}`}>
              <TextInput
                dir="auto"
                value={values[at] ?? sample}
                onText={(next) =>
                  setValues(samples.map((each, index) => (index === at ? next : (values[index] ?? each))))
                }
              />
            </Field>
          ))}
        </div>
      )}
    </Card>
  );
}
