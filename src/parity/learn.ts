/** Learns a dialect from captured traffic: each point of the interface document that is open, by examples. */
import type { Json } from '../dialect/template.js';
import { timestampForms } from '../dialect/words.js';
import { differencesIn } from './differences.js';
import { fileOf, type Finding, Lesson } from './lesson.js';
import { learnEvents } from './learn-events.js';
import type { Pair } from './account-play.js';
import type { Played } from './play.js';
import { isErrorCode } from './privacy.js';
import { isInstant, leavesOf } from './values.js';

type Body = Readonly<Record<string, unknown>>;

export interface Learnt {
  readonly text: string;
  readonly findings: readonly Finding[];
}

export function learn({ pairs, skipped, sent }: Played): Learnt {
  const lesson = new Lesson(sent);
  const calls = pairs.filter(({ fact }) => fact === undefined);
  const isOk = ({ theirs, ours }: Pair) => [theirs, ours].every(({ status }) => status !== null && status < 300);
  const ok = (...whats: string[]) => calls.filter((pair) => whats.includes(pair.what) && isOk(pair));
  learnStatuses(lesson, ok);
  learnErrors(
    lesson,
    calls.filter(({ theirs, ours }) => Number(theirs.status) >= 400 && Number(ours.status) >= 400),
  );
  learnTimestamps(lesson, calls.filter(isOk));
  learnMessages(lesson, ok('getMessage'), ok('sendMessage'));
  learnWebhooks(lesson, ok('listWebhooks'));
  learnEvents(
    lesson,
    pairs.filter(({ fact }) => fact !== undefined),
  );
  const head =
    '# Learnt from recorded traffic by "messaging-sandbox dialect learn". Check it, and keep it with your tests.\n';
  const found = skipped.map(({ place, why, open }): Finding => ({
    ...{ section: '', setting: '', result: 'not in the capture', evidence: [place], about: why },
    ...(open && { ...open, result: 'differs' }),
  }));
  return { text: head + fileOf(lesson.settings), findings: [...lesson.findings, ...found] };
}

function learnStatuses(lesson: Lesson, ok: (...whats: string[]) => Pair[]): void {
  const created = ok('createTemplate', 'createWebhook');
  const status = created[0]?.theirs.status;
  lesson.note('all', 'http.created', created, status !== undefined && status !== 200, status ?? undefined);
  const deleted = ok('deleteWebhook');
  const removal = deleted[0]?.theirs;
  lesson.note(
    '4.11',
    'http.deleted.status',
    deleted,
    removal !== undefined && removal.status !== 204,
    removal?.status ?? undefined,
  );
  const bodies = deleted.filter(({ theirs }) => theirs.body !== undefined);
  // The path of the call names the endpoint, and so may the body.
  const examples = bodies.map(({ theirs, subject }) => ({ theirs: theirs.body, ours: { id: subject } }));
  if (bodies.length === 0) lesson.note('4.11', 'http.deleted.body', deleted, false, undefined);
  else lesson.shape('4.11', 'http.deleted.body', bodies, examples, true);
}

function learnErrors(lesson: Lesson, errors: readonly Pair[]): void {
  const ourError = ({ ours }: Pair) => (ours.body as { error?: Body } | undefined)?.error ?? {};
  const shaped = errors.filter(({ theirs, ours }) => typeof theirs.body === 'object' && typeof ours.body === 'object');
  const examples = shaped.map((pair) => ({
    theirs: pair.theirs.body,
    ours: { ...ourError(pair), status: pair.theirs.status },
  }));
  const differs = shaped.some((pair) =>
    differencesIn(pair).some(({ at }) => at !== 'status' && at !== 'body.error.code'),
  );
  const inferred = lesson.shape('7', 'errors.shape', shaped, examples, differs);
  const path = inferred ? pathOf(inferred.template, 'code') : ['error', 'code'];
  const codes = new Map<string, { theirs: unknown; status: number; pairs: Pair[] }>();
  for (const pair of shaped) {
    const code = String(ourError(pair)['code']);
    const theirs = path?.reduce<unknown>((at, key) => (at as Body | undefined)?.[key], pair.theirs.body);
    const known = codes.get(code) ?? { theirs, status: Number(pair.theirs.status), pairs: [] };
    codes.set(code, { ...known, pairs: [...known.pairs, pair] });
  }
  for (const [code, { theirs, status, pairs }] of codes) {
    const own = pairs[0]?.ours.status;
    const agree = pairs.every((pair) => pair.theirs.status === status);
    lesson.note(
      '7',
      `errors.status.${code}`,
      pairs,
      status !== own,
      agree ? status : undefined,
      agree ? '' : 'several statuses',
    );
    if (typeof theirs !== 'string') continue;
    const isCode = isErrorCode(theirs, lesson.sent);
    const why = isCode ? '' : 'not like a code';
    lesson.note('7', `errors.codes.${code}`, pairs, theirs !== code, isCode ? theirs : undefined, why);
  }
}

export function pathOf(template: Json, name: string): string[] | undefined {
  const found = leavesOf(template).find(
    ({ value }) => typeof value === 'string' && value.replace('?', '') === `{${name}}`,
  );
  return found?.path.map(String);
}

function learnTimestamps(lesson: Lesson, pairs: readonly Pair[]): void {
  const forms = new Set<string>();
  const shown: Pair[] = [];
  for (const pair of pairs)
    for (const { value } of leavesOf(pair.theirs.body))
      if (isInstant(value)) {
        forms.add(
          value
            .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/, 'YYYY-MM-DDTHH:mm:ss')
            .replace(/\.\d+/, (digits) => `.${'s'.repeat(digits.length - 1)}`),
        );
        shown.push(pair);
      }
  const [form] = forms;
  const known = forms.size === 1 && timestampForms.some((each) => each === form);
  const differs = form !== undefined && form !== timestampForms[0];
  lesson.note(
    '2',
    'shapes.ids.timestamp',
    shown,
    differs || forms.size > 1,
    known ? form : undefined,
    forms.size > 1 ? 'several forms' : '',
  );
}

function learnMessages(lesson: Lesson, lookups: readonly Pair[], sends: readonly Pair[]): void {
  const errorOf = (part: Pair['theirs']) => (part.body as Body | undefined)?.['error'];
  const failed = lookups.filter(({ theirs, ours }) => errorOf(theirs) && errorOf(ours));
  const examples = failed.map(({ theirs, ours }) => ({ theirs: errorOf(theirs), ours: errorOf(ours) as Body }));
  const differs = failed.some((pair) => differencesIn(pair).some(({ at }) => at.startsWith('body.error')));
  lesson.shape('2.1', 'shapes.message.error', failed, examples, differs);
  const entries = sends.flatMap((pair) => {
    const [theirs, ours] = [pair.theirs, pair.ours].map(
      ({ body }) => (body as { results?: Body[] } | undefined)?.results ?? [],
    );
    return (theirs ?? []).flatMap((each, index) => {
      const own = ours?.[index];
      return each['ok'] === false && own?.['ok'] === false ? [{ pair, theirs: each, ours: own }] : [];
    });
  });
  const pairs = entries.map(({ pair }) => pair);
  const entryDiffers =
    lesson.settings.has('shapes.message.error') ||
    pairs.some((pair) => differencesIn(pair).some(({ at }) => at.startsWith('body.results')));
  lesson.shape('2.1', 'shapes.batch.failed', pairs, entries, entryDiffers);
}

function learnWebhooks(lesson: Lesson, lists: readonly Pair[]): void {
  const full = lists.filter(({ ours }) => ((ours.body as { webhooks?: unknown[] }).webhooks ?? []).length > 0);
  const found = full.flatMap((pair) => {
    const ours = (pair.ours.body as { webhooks: Body[] }).webhooks;
    const place = listIn(pair.theirs.body);
    return place && place.list.length === ours.length ? [{ pair, ours, ...place }] : [];
  });
  const pairs = found.map(({ pair }) => pair);
  const examples = found.flatMap(({ list, ours }) =>
    list.map((theirs, index) => ({ theirs, ours: ours[index] ?? {} })),
  );
  const differs = pairs.some((pair) => differencesIn(pair).length > 0);
  lesson.shape('4.10', 'shapes.webhooks.item', pairs, examples, differs);
  const whole = found.map(({ pair, list, ours }) => ({
    theirs: pair.theirs.body,
    ours: { items: list, count: ours.length },
  }));
  const isBare = found.some(({ path }) => path.length === 0);
  const isUsual = found.every(
    ({ path, pair }) => path.join() === 'webhooks' && Object.keys(pair.theirs.body as object).length === 1,
  );
  if (isBare) lesson.note('4.10', 'shapes.webhooks.list', pairs, true, '{items}');
  else lesson.shape('4.10', 'shapes.webhooks.list', pairs, whole, !isUsual);
}

/** The list in a response: the body itself, or the first array of objects. */
function listIn(body: unknown, path: readonly string[] = []): { path: readonly string[]; list: unknown[] } | undefined {
  if (Array.isArray(body))
    return body.every((each) => typeof each === 'object') ? { path, list: body as unknown[] } : undefined;
  if (typeof body !== 'object' || body === null) return undefined;
  for (const [key, each] of Object.entries(body)) {
    const found = listIn(each, [...path, key]);
    if (found) return found;
  }
  return undefined;
}
