/** Learns how events are written: their envelope, the data of each type, and the names of their headers. */
import { defaultDialect } from '../dialect/index.js';
import { shapes } from '../dialect/names.js';
import type { Json } from '../dialect/template.js';
import { type EventType, eventTypes } from '../domain/words.js';
import { differencesIn } from './differences.js';
import { type Example, infer } from './infer.js';
import type { Lesson } from './lesson.js';
import type { Pair } from './account-play.js';
import { isPropertyName } from './privacy.js';
import { isEventType, leavesOf } from './values.js';

type Mapping = Readonly<Record<string, Json>>;

export function learnEvents(lesson: Lesson, pairs: readonly Pair[]): void {
  learnHeaders(lesson, pairs);
  const differs = pairs.some((pair) => differencesIn(pair).some(({ at }) => at.startsWith('body')));
  const bodies = pairs.map(({ theirs }) => theirs.body);
  const learnt = eventTypes.flatMap((type) => {
    const own = pairs.filter(({ what }) => what === type);
    const examples = distinct(own).map(exampleOf);
    const inferred = infer(examples, shapes[`events.${type}`].names, lesson.sent, bodies);
    return own.length === 0 ? [] : [{ type, pairs: own, ...inferred }];
  });
  const failures = learnt.flatMap(({ parts }) =>
    parts.filter(({ name }) => name === 'error').flatMap(({ examples }) => examples),
  );
  if (failures.length > 0 && !lesson.settings.has('shapes.message.error')) {
    const index = lesson.findings.findIndex(({ setting }) => setting === 'shapes.message.error');
    if (lesson.findings[index]?.result === 'not in the capture') {
      lesson.findings.splice(index, 1);
      lesson.shape('2.1', 'shapes.message.error', pairs, failures, differs);
    }
  }
  const templates = learnt.map(({ template }) => template as Mapping);
  const at = templates[0] && dataKeyOf(templates);
  for (const type of eventTypes) {
    const found = learnt.find((each) => each.type === type);
    const data = at === undefined ? found?.template : (found?.template as Mapping | undefined)?.[at];
    lesson.note('6', `events.${type}`, found?.pairs ?? [], differs, data, found?.unsaid.join(', '));
  }
  if (at === undefined) {
    lesson.note('6', 'webhooks.shape', pairs, differs, '{data}');
  } else {
    const envelope = Object.fromEntries(
      Object.entries(templates[0] ?? {}).map(([key, value]) => [key, key === at ? '{data}' : unqualified(value)]),
    );
    lesson.note('6', 'webhooks.shape', pairs, differs, envelope);
  }
}

/** Each endpoint gets the same event, and gets it again after a failure. */
function distinct(pairs: readonly Pair[]): Pair[] {
  return [...new Map(pairs.map((pair) => [JSON.stringify(pair.theirs.body), pair])).values()];
}

function exampleOf({ theirs, fact = {} }: Pair): Example {
  const {
    id,
    type,
    created_at: createdAt,
    data,
  } = fact as { id: string; type: EventType; created_at: string; data: object };
  return { theirs: theirs.body, ours: { ...data, 'event.id': id, 'event.type': type, 'event.created_at': createdAt } };
}

/** The key of the data, where all else is the same in each type and says nothing of the data. */
function dataKeyOf(templates: readonly Mapping[]): string | undefined {
  const [first = {}] = templates;
  const isEnvelope = (value: Json) => leavesOf(value).every(({ value: leaf }) => !/^\{(?!event\.)/.test(String(leaf)));
  return Object.keys(first).find((key) =>
    templates.every((template) => {
      const { [key]: data, ...rest } = template;
      const { [key]: _data, ...others } = first;
      return (
        typeof data === 'object' &&
        data !== null &&
        !Array.isArray(data) &&
        leavesOf(data).every(({ value }) => !String(value).startsWith('{event.')) &&
        JSON.stringify(rest) === JSON.stringify(others) &&
        Object.values(rest).every(isEnvelope)
      );
    }),
  );
}

/** `{event.type}` of the data is `{type}` of the envelope. */
function unqualified(template: Json): Json {
  return JSON.parse(JSON.stringify(template).replaceAll('{event.', '{')) as Json;
}

function learnHeaders(lesson: Lesson, pairs: readonly Pair[]): void {
  const standard = defaultDialect.webhooks.headers;
  const sent = pairs.map(({ theirs }) => theirs.headers ?? {});
  const isSigned = sent.some((headers) => 'x-service-signature' in headers);
  const own = [...new Set(sent.flatMap((headers) => Object.keys(headers)))].filter(
    (name) =>
      isPropertyName(name, lesson.sent) &&
      /^x-/.test(name) &&
      name !== 'x-service-signature' &&
      !/^x-(?:forwarded|real-ip|request-id)/.test(name),
  );
  const values = (name: string) => sent.map((headers) => headers[name] ?? '');
  const roles: readonly (readonly [keyof typeof standard, (name: string) => boolean])[] = [
    ['event', (name) => values(name).every(isEventType)],
    ['attempt', (name) => values(name).every((value) => /^\d{1,3}$/.test(value))],
    [
      'id',
      (name) =>
        pairs.every(({ theirs }) => leavesOf(theirs.body).some(({ value }) => value === theirs.headers?.[name])),
    ],
    ['delivery', () => true],
  ];
  const left = new Set(own);
  for (const [role, fits] of roles) {
    const name = [...left].find(fits);
    if (name !== undefined) left.delete(name);
    const written = name === undefined ? null : name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
    const differs = isSigned && written?.toLowerCase() !== standard[role]?.toLowerCase();
    lesson.note('6', `webhooks.headers.${role}`, isSigned ? pairs : [], differs, written);
  }
}
