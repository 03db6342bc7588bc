/** The order of an exploration: the gate, what is confirmed, its files and its reports. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import pLimit from 'p-limit';
import { Breaks } from '../../src/explore/tries/breaks.js';
import { referenceOf, type Reference } from '../../src/explore/facts/end-state.js';
import { doubtByContrast } from '../../src/explore/tries/contrast.js';
import { Beside } from '../../src/explore/tries/beside.js';
import { hasPlayedControl } from '../../src/explore/faults/control.js';
import { explore } from '../../src/explore/explorer.js';
import { differenceOf } from '../../src/explore/tries/gate.js';
import type { ExploreOptions, Patience, Play } from '../../src/explore/tries/options.js';
import { writeFile } from '../../src/explore/tries/file.js';
import { canWait, cellOf, doubted, paceOf, settled, untried, type Tried } from '../../src/explore/tries/cells.js';
import { maybeOfOthers } from '../../src/explore/oracle/told.js';
import { ExploreError } from '../../src/explore/facts/error.js';
import { cellsNamed, parseIgnores } from '../../src/explore/faults/cell-names.js';
import { insteadText, parseRequirements, requiring } from '../../src/explore/oracle/required.js';
import { inOrder, place, ruleIdOf, withFault } from '../../src/explore/faults/placed.js';
import { pointsOf } from '../../src/explore/faults/points.js';
import {
  hasFailed,
  percentJudged,
  readWaits,
  reportJson,
  reportJunit,
  reportLines,
  tally,
  untriedText,
} from '../../src/explore/report.js';
import { reportPage } from '../../src/explore/report-page.js';
import { maybeUnknown } from '../../src/explore/oracle/told.js';
import type { Cell, Deviation, Placed, Report, Run } from '../../src/explore/facts/types.js';
import { isPassing } from '../../src/explore/faults/faults.js';
import { together } from '../../src/explore/tries/suite.js';
import { pausesIn, restartsIn } from '../../src/beside/server-story.js';
import { at, fault, message, request, run, to } from './runs.js';

const requests = [1, 2].map((seq) => request({ seq }));
const ended = run({ requests, messages: [message(), message()] }, { said: 'fine' });
const wrong = run({ requests, messages: [message()] }, { said: 'fine' });
const hit = (ending: Run, placed: Placed | undefined): Run => ({
  ...ending,
  facts: { ...ending.facts, hits: placed ? { [ruleIdOf(placed)]: 1 } : {} },
});

const exploring = (play: Play, more: Partial<ExploreOptions> = {}) =>
  explore({
    play,
    how: { command: () => '', extends: null, story: null },
    playFile: (name) => Promise.resolve(name.startsWith('without-') ? 'passed' : 'failed'),
    lanes: 1,
    deadlineMs: 60_000,
    over: new Promise(() => undefined),
    longestMs: 0,
    now: () => 0,
    ...more,
  });
/** Checks that a file is rejected, by its text and what the error says. */
function rejects(read: (text: string, file: string) => unknown, rows: readonly (readonly [string, string])[]): void {
  for (const [text, words] of rows) {
    expect(() => read(text, 'x.yaml')).toThrow(ExploreError);
    expect(() => read(text, 'x.yaml')).toThrow(words);
  }
}
const only503 = (id: string) => id.endsWith('/503');
const breaking: Play = ([placed]) => Promise.resolve(hit(placed ? wrong : ended, placed));

describe('the gate', () => {
  const reject = async (play: Play, words: RegExp) => {
    const error: unknown = await exploring(play).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ExploreError);
    expect((error as Error).message).toMatch(words);
  };

  it('lets no story pass that makes no call', () =>
    reject(() => Promise.resolve(run()), /No call reached the sandbox.*useSandbox/s));

  it('lets no story pass whose state survives a run, and says the cure', () => {
    let runs = 0;
    return reject(
      () => Promise.resolve((runs += 1) === 1 ? ended : run({ requests: requests.slice(0, 1) }, { said: 'fine' })),
      /run 1 had 1 message, run 2 0.*SANDBOX_TMP.*--reset/s,
    );
  });

  it('names a difference of each kind of call', () => {
    const called = (n: number) => {
      const all = ['sendMessage', 'sendOtp', 'sendMessage'].map((operation, i) =>
        request({ operation, seq: i, request: { headers: {}, body: { to: `+1202555011${n + i}`, type: 'text' } } }),
      );
      return run({ requests: all });
    };
    expect(differenceOf([called(1), called(5)])).toBe(
      'Runs without faults differ: run 1 had 3 calls, run 2 3 ' +
        '(not in run 2: message.send:text:+12025550111, otp.send:+12025550112; ' +
        'not in run 1: message.send:text:+12025550115, otp.send:+12025550116).',
    );
  });

  it('says of a locked code that the real service may reject it otherwise', () => {
    const { facts } = ended;
    const locked = request({ path: '/v1/otp/verify', status: 429, error: 'otp_max_attempts' });
    const failing = run(
      { requests: [...facts.requests, locked] as object[] },
      { failure: 'POST /a got the response 502' },
    );
    return reject(() => Promise.resolve(failing), /otp_max_attempts: 423 \} \}\)\. Without a fault/);
  });

  it('lets no story pass of which a step has another result without any fault', () => {
    const refusedAt = (time: string, code: string) =>
      request({ at: time, status: 410, path: '/v1/otp/verify', response: { body: { error: { code } }, headers: {} } });
    const step = { sentence: 'POST /login at +2m: expected 423, found 401', atMs: 120_000 };
    const { facts } = ended;
    const startedMs = Date.parse(facts.startedAt);
    const [before, then, later] = [60_000, 121_000, 600_000].map((ms, i) =>
      refusedAt(new Date(startedMs + ms).toISOString(), ['early', 'otp_expired', 'late'][i] ?? ''),
    );
    const refusals = [before, then, later].flatMap((one) => one ?? []);
    const other = run(
      { requests: [...facts.requests, ...refusals] as ReturnType<typeof request>[] },
      { unmetSteps: [step] },
    );
    return reject(
      () => Promise.resolve(other),
      /fault: POST \/login at \+2m: expected 423, found 401\. Rejected calls: POST \/v1\/otp\/verify got 410: otp_expired Without/,
    );
  });

  it('lets no story pass of which a check fails without any fault, since it could show nothing', () => {
    const sentence = 'Nobody waits: expected 0; found null.';
    const failing = run(ended.facts, { ...ended, flows: true, failedChecks: [{ sentence, isForbidden: false }] });
    return reject(() => Promise.resolve(failing), /without any fault: Nobody waits: expected 0; found null\. Without/);
  });

  it('notes a check of a command that fails without any fault, and uses the others', async () => {
    const checks = ['Nobody waits: expected 0; found 1.', 'One reminder: expected at most 1; found 2.'];
    const failing = (...sentences: string[]) =>
      run(ended.facts, { ...ended, failedChecks: sentences.map((sentence) => ({ sentence, isForbidden: true })) });
    const play: Play = ([placed]) =>
      Promise.resolve(hit(failing(...checks.slice(0, placed === undefined ? 1 : 2)), placed));
    const { notes, cells } = await exploring(play, { only: only503 });
    expect(notes).toContain(`Without faults, a check fails, so it shows nothing: ${checks[0] ?? ''}`);
    expect(cells[0]?.deviations.map(({ sentence }) => sentence)).toEqual([checks[1]]);
  });

  it('names what differs in parallel, if that is the reason for one try after another', async () => {
    let runs = 0;
    const play: Play = ([placed]) => Promise.resolve(hit((runs += 1) === 2 ? wrong : ended, placed));
    const { notes } = await exploring(play, { lanes: 2, only: only503 });
    expect(notes[0]).toMatch(/one after another, because runs in parallel differed: run 1 had .*sent twice/);
  });

  describe('of a server', () => {
    const server = {
      command: () => '',
      extends: null,
      story: { scenario: {}, timeline: [], stepsMs: [1], state: [], endMs: 0 },
    };
    /** @returns the largest number of plays at the same time among the first ones, and of plays without a fault */
    const played = async (endings: readonly Run[]) => {
      let [running, most, plays] = [0, 0, 0];
      const play: Play = async ([placed]) => {
        most = Math.max(most, (running += 1));
        const ending = placed ? wrong : (endings[plays++] ?? ended);
        await Promise.resolve();
        running -= 1;
        return hit(ending, placed);
      };
      const report = await exploring(play, { how: server, lanes: 9, only: (id) => /:1.503$/.test(id) }).catch(
        (error: unknown) => (error as Error).message,
      );
      return { most, plays, report };
    };

    it('plays the story three times in parallel', async () => {
      const { most, plays, report } = await played([]);
      // The last one confirms the break.
      expect([most, plays]).toEqual([3, 4]);
      expect(report).toMatchObject({ notes: [], breaks: [{ kind: 'lost' }] });
    });

    it('plays the story alone if plays in parallel differ', async () => {
      const { plays, report } = await played([ended, wrong]);
      expect(plays).toBe(7);
      expect(report).toMatchObject({ notes: [], breaks: [{ kind: 'lost' }] });
    });

    it('says at once that a story fails each time', async () => {
      const failing = run(ended.facts, { failure: 'POST /a got the response 500' });
      const { plays, report } = await played([failing, failing, failing]);
      expect(plays).toBe(3);
      expect(report).toMatch(/^The story fails without any fault: POST \/a got the response 500\./);
    });
  });

  it('says of a story that fails what the sandbox answered', () => {
    const error = { code: 'validation_error', message: 'The URL must begin with https://.' };
    const refused = request({ path: '/v1/webhooks', status: 400, response: { body: { error }, headers: {} } });
    const failing = run({ requests: [refused] }, { failure: 'exit code 1 (KeyError)' });
    return reject(
      () => Promise.resolve(failing),
      /exit code 1.*POST \/v1\/webhooks got 400: validation_error The URL/s,
    );
  });

  it('says once what a command repeated that did not end', () => {
    const others = ['/a', '/b', '/c'].map((path) => request({ path, status: 404 }));
    const locked = request({ path: '/v1/otp/verify', status: 429, response: { body: null, headers: {} } });
    const waiting = run({ requests: [...others, locked, locked, locked] }, { timedOut: true });
    return reject(
      () => Promise.resolve(waiting),
      /did not end in time\. Rejected calls: POST \/v1\/otp\/verify got 429: Without/,
    );
  });
});

it('waits for calls that fail without a fault only if the application repeats them', async () => {
  const check = (seconds: number, seq: number) =>
    request({ seq, at: at(seconds), path: '/v1/otp/otp_1/verify', status: 429, error: 'otp_max_attempts' });
  const waited = async (...seconds: number[]) => {
    const checks = seconds.map((second, i) => check(second, 3 + i));
    const usual = run({ requests: [...requests, ...checks], messages: ended.facts.messages }, { said: 'fine' });
    const known: unknown[] = [];
    const play: Play = ([placed], { failsBy }) => {
      known.push(failsBy);
      return Promise.resolve(hit(usual, placed));
    };
    await exploring(play, { only: only503 });
    return known.slice(0, 4);
  };
  expect(await waited(10)).toEqual([undefined, 'explore-', 'explore-', 'explore-']);
  expect(await waited(10, 70)).toEqual([undefined, 'explore-', 'explore-', 'explore-']);
  expect(await waited(10, 12)).toEqual([undefined, undefined, undefined, undefined]);
});

it('notes which calls were rejected without any fault, and which messages failed', async () => {
  const closed = request({ status: 400, error: 'send_failed', seq: 3 });
  const explain = { by: 'magic', id: 'magic-21', text: 'A number ending in 21 blocks the business.' };
  const blocked = message({ to: '+12025550121', status: 'failed', explain });
  const other = '+12025550111';
  const locked = request({
    ...{ operation: 'verifyOtp', path: '/v1/otp/verify', status: 429, error: 'otp_max_attempts', seq: 5 },
    request: { headers: {}, body: { otp_id: 'o', code: '1' } },
  });
  const unknown = { ...locked, status: 404, error: 'not_found' };
  const otps = [{ otp_id: 'o', to: other, state: 'locked', message_id: 'x' }];
  const intended = message({
    status: 'failed',
    explain: { by: 'rule', id: 'rules[0]', text: 'Rule rules[0] matches by phone.' },
  });
  const usual = run(
    { requests: [...requests, closed, closed, unknown, locked], messages: [blocked, intended], otps },
    { said: 'fine' },
  );
  const notesOf = async (each: Run) =>
    (await exploring((placed) => Promise.resolve(hit(each, placed[0])), { only: only503 })).notes;
  const again = run({ requests: [...requests, locked, locked, locked, locked], otps }, { said: 'fine' });
  expect(await notesOf(again)).toContainEqual(
    expect.stringContaining('Without faults, the application checked a locked code again and again'),
  );
  const closedTo = (last: number) => {
    const phone = `+1202555014${last}`;
    return { ...closed, request: { headers: {}, body: { to: phone, type: 'text' } } };
  };
  const many = run({ requests: [...requests, ...[1, 2, 3, 4, 5].map(closedTo)] }, { said: 'fine' });
  expect(await notesOf(many)).toEqual([
    expect.stringContaining('5 times, to +12025550141, +12025550142, +12025550143 and 2 more)'),
  ]);
  expect(await notesOf(usual)).toEqual([
    expect.stringMatching(
      /^Without faults, 3 calls got an error \(message\.send: 400 send_failed, twice, to \+12025550110; otp\.verify: 404 not_found, to \+12025550111\)\./,
    ),
    expect.stringMatching(/^Without faults, 1 message failed \(to \+12025550121: A number ending in 21 blocks/),
  ]);
});

it('names the failure of a run if the budget ends before the runs without faults', async () => {
  let [count, end] = [0, () => undefined as unknown];
  const over = new Promise<'over'>((resolve) => (end = () => resolve('over')));
  const play: Play = () => {
    count += 1;
    if (count <= 3)
      return Promise.resolve(run({ requests }, { flows: true, failure: `/jobs/${count} got no response` }));
    end();
    return new Promise(() => undefined);
  };
  const story = { scenario: {}, timeline: [], stepsMs: [1], state: [], endMs: 0 };
  const ending = exploring(play, { over, lanes: 3, how: { command: () => '', extends: null, story } });
  await expect(ending).rejects.toMatchObject({
    isLate: false,
    message: expect.stringContaining('The story fails without any fault: /jobs/3 got no response.') as string,
  });
  const never = exploring(() => new Promise(() => undefined), { over: Promise.resolve('over') });
  await expect(never).rejects.toMatchObject({
    isLate: true,
    message: expect.stringContaining('budget ended') as string,
  });
});

it('names a rejected registration if a story fails that needs events', async () => {
  const rejected = { error: { code: 'validation_error', message: 'url must be an https address.' } };
  const create = request({
    ...{ operation: 'createWebhook', path: '/v1/webhooks', status: 400, response: { headers: {}, body: rejected } },
  });
  const step = { sentence: 'tap of +12025550110 at +3m: expected a message, found none', atMs: 180_000 };
  const failing = run({ requests: [create, ...requests] }, { flows: true, unmetSteps: [step] });
  await expect(exploring(() => Promise.resolve(failing))).rejects.toThrow(
    'found none. Rejected calls: POST /v1/webhooks got 400: validation_error url must be an https address.',
  );
});

it('names a text that differs between runs without any fault', async () => {
  let count = 0;
  const play: Play = (placed) => {
    count += 1;
    const text = placed.length === 0 ? `Job x${String.fromCharCode(96 + count)} is ready` : 'Job x is ready';
    return Promise.resolve(hit(run({ requests, messages: [message({ text })] }, { said: 'fine' }), placed[0]));
  };
  const { notes } = await exploring(play, { only: only503 });
  expect(notes).toEqual([
    `The texts of messages differ between runs without faults, so only their template is compared. For example, not every run had: text "Job xa is ready" to +12025550110 was sent once. To compare texts, make them the same in every run.`,
  ]);
});

it('notes which steps of the story were not played', async () => {
  const skipped = ['The step "message" of the timeline at 09:05 was skipped: the message was read.'];
  const usual = run({ requests, skipped }, { said: 'fine' });
  const { notes } = await exploring((placed) => Promise.resolve(hit(usual, placed[0])), { only: only503 });
  expect(notes).toEqual([
    'Without faults, the step "message" of the timeline at 09:05 was skipped: the message was read. Change the story first.',
  ]);
});

it('notes which names of cells fit none', () => {
  const { fits, notes } = cellsNamed(['*/503', 'otp.send*/paused'], '--only');
  expect([fits('message.send:1/503'), fits('message.send:1/429')]).toEqual([true, false]);
  expect(notes()).toEqual(["--only 'otp.send*/paused' fits no cell of the story."]);
});

describe('how the application waits', () => {
  /** The machine time for which a try after the learning waits, if the failed call was repeated at this second. */
  const waitAfter = async (second: number, flows = true) => {
    const failed = request({ status: 503, error: 'unavailable', at: at(1) });
    const calls = [failed, request({ seq: 2, at: at(second) })];
    const again = run({ requests: calls, messages: [message(), message()] }, { said: 'fine', flows, tookMs: 9_000 });
    const waits: number[] = [];
    const play: Play = ([placed], { realMs }) => {
      if (placed) waits.push(realMs);
      return Promise.resolve(hit(placed ? again : { ...ended, flows }, placed));
    };
    const timeline: never[] = [];
    const story = { scenario: {}, timeline, state: [], stepsMs: [60_000], endMs: 60_000 };
    const how = { command: () => '', extends: null, story };
    const only = (id: string) => id.endsWith(':1/reset-taken');
    await exploring(play, { how, only, longestMs: 20_000 });
    return waits.at(-1);
  };

  it('is how long it took by its own clock, and not how long the busy machine took', async () => {
    expect(await waitAfter(3)).toBe(1.5 * 2_000 + 500);
    expect(await waitAfter(3, false)).toBe(1.5 * 8_000 + 500);
  });

  it('is waited for after one failed call of those that an outage affects, and not as long as an outage lasts', async () => {
    const template = { name: 'news', status: 'approved', history: [], id: 't' };
    const create = request({
      operation: 'createTemplate',
      path: '/v1/templates',
      request: { headers: {}, body: { name: 'news' } },
    });
    const get = request({ operation: 'listTemplates', method: 'GET', path: '/v1/templates', seq: 2 });
    const sends = [request({ seq: 3, at: at(60) }), request({ seq: 4, at: at(120) })];
    const usual = run({ templates: [template], requests: [create, get, ...sends] });
    const times: number[][] = [];
    const play: Play = ([placed], { realMs, returnMs }) => {
      if (placed?.fault.id === 'outage') times.push([returnMs, realMs]);
      return Promise.resolve(hit(usual, placed));
    };
    const known = (realMs: number) => ({ realMs, accountMs: realMs });
    const learnt: Report['waits'] = [
      ['message.send', known(2_000)],
      ['template.create', known(9_000)],
    ];
    const outage = { only: (id: string) => id === 'service/outage', waits: learnt, longestMs: 90_000 };
    await exploring(play, outage);
    expect(times).toEqual([[1.5 * 2 * 2_000 + 500, 1.5 * 15 * 2_000 + 500]]);
    // Its user says that it needs longer.
    await exploring(play, { ...outage, outlasts: true });
    expect(times.at(-1)).toEqual([1.5 * 2 * 2_000 + 500, 90_000]);
  });

  const waits: Report['waits'] = [['message.send', { realMs: 100, accountMs: 100 }]];
  const only = (id: string) => id.endsWith(':1/reset-taken');
  const triesOf = (found: (id: string) => Run) => {
    const tries: string[] = [];
    const play: Play = ([placed]) => {
      if (placed) tries.push(placed.fault.id);
      return Promise.resolve(hit(placed ? found(placed.id) : ended, placed));
    };
    return { play, tries };
  };

  it('is learnt from an earlier report about the same story, unless something deviates', async () => {
    const fine = triesOf(() => ended);
    const report = await exploring(fine.play, { only, waits });
    expect(fine.tries).toEqual(['reset-taken']);
    const text = JSON.stringify(reportJson(report, 'npm test'));
    expect([readWaits(text, 'npm test'), readWaits(text, 'npm start'), readWaits('', 'npm test')]).toEqual([
      waits,
      [],
      [],
    ]);
    // It may wait longer by now, so that is learnt anew before the cell is judged.
    const broken = triesOf((id) => (id.endsWith('reset-taken') ? wrong : ended));
    await exploring(broken.play, { only, waits });
    expect(broken.tries.slice(0, 3)).toEqual(['reset-taken', '503', 'reset-taken']);
    // More time does not undo a duplicate.
    const thrice = run({ requests, messages: [message(), message(), message()] }, { said: 'fine' });
    const twice = triesOf((id) => (id.endsWith('reset-taken') ? thrice : ended));
    await exploring(twice.play, { only, waits });
    expect(twice.tries).not.toContain('503');
  });

  it('is learnt beside tries that do not depend on it', async () => {
    const deliveries = [
      {
        event_type: 'message.received',
        payload: `{"data":{"from":"${to}"}}`,
        created_at: at(2),
        seq: 3,
        attempts: [{ status: 200 }],
        state: 'delivered',
      },
    ];
    const story = run({ requests, messages: [message(), message()], deliveries }, { said: 'fine' });
    const order: string[] = [];
    let release = (): void => undefined;
    const learnt = new Promise<void>((resolve) => (release = resolve));
    const play: Play = async ([placed]) => {
      if (placed) order.push(placed.fault.id);
      if (placed?.fault.id === '503') await learnt;
      if (placed?.fault.id === 'forged') release();
      return hit(story, placed);
    };
    const wanted = (id: string) => /message.received.*\/(twice|forged)$|:1\/reset-taken$/.test(id);
    await exploring(play, { only: wanted, lanes: 2 });
    expect(order).toEqual(['503', 'twice', 'forged', 'reset-taken']);
  });

  it('is learnt beside tries of a command, too, which are judged only then', async () => {
    const ends: string[] = [];
    let release = (): void => undefined;
    const learnt = new Promise<void>((resolve) => (release = resolve));
    const play: Play = async ([placed]) => {
      if (placed?.fault.id === '503') await learnt;
      if (placed?.fault.id === 'reset-taken') release();
      return hit(ended, placed);
    };
    const onProgress = ({ latest }: { latest: string }) => ends.push(latest);
    await exploring(play, { only: (id) => /:1\/(503|reset-taken)$/.test(id), lanes: 2, onProgress });
    expect(ends).toEqual([expect.stringContaining('503 once'), expect.stringContaining('loses its response')]);
  });

  it('runs more tries than two runs have allowed as long as the machine has room', async () => {
    const mostAtOnce = async (rooms: number, only = (_id: string) => true) => {
      let [now, most, room] = [0, 0, rooms];
      const play: Play = async ([placed]) => {
        now += 1;
        most = Math.max(most, now);
        for (let turns = 0; turns < 50; turns += 1) await Promise.resolve();
        now -= 1;
        return hit(ended, placed);
      };
      await exploring(play, { lanes: 9, hasRoom: () => (room -= 1) >= 0, only });
      return most;
    };
    const isShort = (id: string) => !id.includes('hang');
    expect([await mostAtOnce(0, isShort), await mostAtOnce(2, isShort)]).toEqual([6, 8]);
    // An application that waits for a response needs no room.
    expect(await mostAtOnce(0)).toBeGreaterThan(6);
  });

  it('is no time at all if a step of the story makes it repeat the call', async () => {
    expect(await waitAfter(61)).toBe(1_000);
    // So late, nothing else tells it.
    expect(await waitAfter(50)).toBe(1.5 * 8_000 + 500);
  });
});

describe('a break', () => {
  it('is what happened twice with the fault and not without it', async () => {
    const report = await exploring(breaking, { only: only503 });
    expect(report.breaks).toMatchObject([
      { kind: 'lost', at: 'message.send', file: 'lost-message-send.yaml', tries: 2 },
    ]);
    expect([hasFailed(report, false), report.cells.map(({ state }) => state)]).toEqual([true, ['broken', 'broken']]);
    expect(reportLines(report, (file) => file)).toContain(
      '        1 further cell broke in the same way: see "cells" in report.json.',
    );
    // The order does not depend on time, so the same break has the same file.
    expect((await exploring(breaking, { only: only503, lanes: 3 })).breaks).toEqual(report.breaks);
  });

  it('is found although another fault cannot be played', async () => {
    const play: Play = (placed) =>
      placed.some(({ fault: { id } }) => id === '429')
        ? Promise.reject(new Error('There is no step "typed".'))
        : breaking(placed, {} as Patience);
    const { breaks, cells, notes, tried } = await exploring(play, { only: (id) => /:1.(503|429)$/.test(id) });
    expect([breaks.length, tried, cells.map(({ state }) => state).sort()]).toEqual([1, 1, ['broken', 'not tried']]);
    expect(notes).toContain(
      '1st message.send (+12025550110) gets a 429 once could not be tried: There is no step "typed".',
    );
    const failing = () => Promise.reject(new ExploreError('The command cannot be run.'));
    await expect(
      exploring((placed) => (placed.length === 0 ? breaking([], {} as Patience) : failing())),
    ).rejects.toThrow('The command cannot be run.');
  });

  it('is judged without its control if that cannot be played', async () => {
    const cell = { state: 'doubtful' } as Cell;
    const judged = async (error: Error) => {
      const controls = new Map<string, null>();
      const reference = { controls } as unknown as Reference;
      await hasPlayedControl(cell, fault('blocked'), reference, () => Promise.reject(error));
      return controls.get(fault('blocked').id);
    };
    expect(await judged(new Error('There is no step "typed".'))).toBe(null);
    await expect(judged(new ExploreError('The command cannot be run.'))).rejects.toThrow('cannot be run');
  });

  it('comes from no fault that replaces a rule of the story for codes', async () => {
    const code = request({ operation: 'sendOtp', path: '/v1/otp/send' });
    const usual = run({ requests: [code] }, { said: 'fine' });
    const faultsAfter = async (setsCode: ExploreOptions['setsCode']) => {
      const { cells } = await exploring(([placed]) => Promise.resolve(hit(usual, placed)), {
        ...(setsCode && { setsCode }),
      });
      return cells.filter(({ id }) => /leading-zero|code-expired/.test(id)).length;
    };
    expect([await faultsAfter(undefined), await faultsAfter((phone) => phone === to)]).toEqual([2, 0]);
  });

  it('is none if the same place of the state also differs without the fault, later', async () => {
    const saying = (said: object) => run(ended.facts, { said });
    const statesAfter = async (later: object) => {
      let usual = 0;
      const play: Play = ([placed]) => {
        if (placed) return Promise.resolve(hit(saying({ sent: 1, open: 1 }), placed));
        return Promise.resolve(hit(saying((usual += 1) > 2 ? later : { sent: 2, open: 1 }), undefined));
      };
      const { cells } = await exploring(play, { only: (id) => id.endsWith(':1/503') });
      return cells.map(({ state }) => state);
    };
    expect([await statesAfter({ sent: 1, open: 1 }), await statesAfter({ sent: 2, open: 2 })]).toEqual([
      ['doubtful'],
      ['broken'],
    ]);
  });

  it('is confirmed beside one of another kind, if runs may be parallel', async () => {
    const failed = run(ended.facts, { ...ended, failure: 'exit code 1', said: null, exited: true });
    const play: Play = ([placed]) =>
      Promise.resolve(hit(placed === undefined ? ended : placed.fault.id === '503' ? wrong : failed, placed));
    const kindsAtOnce = async (lanes: number) => {
      let most = 0;
      const open = new Set<string>();
      const playFile = async (name: string) => {
        open.add(name);
        most = Math.max(most, [...open].filter((one) => !one.startsWith('without-')).length);
        for (let turns = 0; turns < 50; turns += 1) await Promise.resolve();
        open.delete(name);
        return name.startsWith('without-') ? 'passed' : 'failed';
      };
      const { breaks } = await exploring(play, { lanes, playFile, only: (id) => /:1.(503|event-first)$/.test(id) });
      return [breaks.map(({ kind }) => kind), most];
    };
    const kinds = ['application failed', 'lost'];
    expect([await kindsAtOnce(1), await kindsAtOnce(3)]).toEqual([
      [kinds, 1],
      [kinds, 2],
    ]);
  });

  it('is a failure hidden behind a word that the application has only for messages that arrive', async () => {
    const payload = (status: string) => JSON.stringify({ data: { to, status } });
    const event = (status: string) => ({
      ...{ event_type: 'message.status', payload: payload(status), created_at: at(2), seq: 3 },
      ...{ attempts: [{ status: 200 }], state: 'delivered' },
    });
    const asked = (word: string) => ({ said: { people: [{ phone: to, asked: word }] } });
    const sent = { requests: requests.slice(0, 1), messages: [message()] };
    const usual = run({ ...sent, deliveries: [event('delivered')] }, asked('reached'));
    const playing =
      (stuck: string, blocked = 'reached', output = ''): Play =>
      ([placed]) => {
        const isStuck = placed?.fault.id === 'stuck';
        const told = run({ ...sent, deliveries: [event('failed')] }, { ...asked(blocked), output });
        return Promise.resolve(hit(!placed ? usual : isStuck ? run(sent, asked(stuck)) : told, placed));
      };
    const statesOf = async (...words: Parameters<typeof playing>) => {
      const { cells, breaks } = await exploring(playing(...words), { only: (id) => id.endsWith('/blocked') });
      return [cells.map(({ state }) => state), breaks.map(({ sentence }) => sentence)];
    };
    expect(await statesOf('asked')).toEqual([
      ['broken'],
      [`It got "failed" in message.status. The application reports people[${to}].asked: "reached".`],
    ]);
    const reporting = await exploring(playing('asked', 'refused'), { only: (id) => id.endsWith('/blocked') });
    const allowed = `The application reports people[${to}].asked: "refused" instead of "reached".`;
    expect(reporting.cells).toMatchObject([{ state: 'fine', allowed: [allowed] }]);
    expect(reportLines(reporting, (file) => `out/${file}`)).toContainEqual(
      expect.stringMatching(/^allowed: 1 cell ended otherwise .* see "Allowed differences" in out\/explore.html.$/),
    );
    expect(reportPage(reporting)).toContain(`<h2>Allowed differences</h2><ol><li><b>`);
    const shows = (...sentences: string[]) =>
      reportPage({ ...reporting, cells: reporting.cells.map((cell) => ({ ...cell, allowed: sentences })) });
    const template = { template: 'hello' };
    const instead = reporting.cells.map((cell) => ({ ...cell, instead: [template, { type: 'text' }] }));
    const lost = `text "Hello" to ${to} was sent 0 times instead of once.`;
    expect(shows(lost)).toContain('Nothing was sent instead.');
    const other = `text "Hi" to ${to} was sent once, which does not happen without the fault.`;
    expect(shows(lost, other)).not.toContain('Nothing was sent instead.');
    const ofTemplate = reporting.cells.map((cell) => ({ ...cell, at: 'template.create', allowed: [lost] }));
    expect(reportPage({ ...reporting, cells: ofTemplate })).not.toContain('Nothing was sent instead.');
    expect(reportPage({ ...reporting, cells: instead })).not.toContain('Nothing was sent instead.');
    const listed = (...others: Cell['instead']) => {
      const cells = ['7:1/window-closed', '8:1/window-closed', '7:1/blocked'].map((id, i) => ({
        ...{ ...untried(fault('blocked')), id, state: 'fine' as const, allowed: [lost] },
        instead: i === 1 ? [] : others,
      }));
      return reportLines({ ...reporting, cells }, String).filter((line) => / instead: /.test(line));
    };
    expect(listed()).toEqual([
      expect.stringContaining('after window-closed (2 cells): see explore.html. If your application should send one'),
    ]);
    expect(listed(template)).toEqual([
      expect.stringMatching(/^sent instead: after 2 cells, .* copy sent-instead.yaml, /),
      expect.stringContaining('after window-closed (1 cell): '),
    ]);
    expect(reportLines({ ...reporting, cells: instead }, String, true).join('\n')).not.toContain('instead:');
    expect(parseRequirements(insteadText(instead), 'x.yaml').messageAfter(instead[0]?.id ?? '')).toEqual(template);
    expect(reportLines(reporting, String).join('\n')).not.toContain('instead:');
    expect(shows(...Array.from({ length: 8 }, (_, i) => `${i} ${allowed}`))).toContain('2 further differences');
    // Its word only means that it sent the message; or its output may say that this failed.
    expect(await statesOf('reached')).toEqual([['doubtful'], []]);
    expect(await statesOf('asked', 'reached', 'gave up')).toEqual([['doubtful'], []]);
    expect(await statesOf('asked', 'not reached')).toEqual([['fine'], []]);
  });

  it.each([
    ['happens only once', (placed: Placed | undefined, tries: number) => placed !== undefined && tries % 2 === 1],
    [
      'happens without the fault as well',
      (placed: Placed | undefined, _: number, plays: number) => placed !== undefined || plays > 2,
    ],
  ])('is doubtful if it %s', async (_, isWrong) => {
    let [plays, tries] = [0, 0];
    const play: Play = ([placed]) => {
      plays += 1;
      tries += placed ? 1 : 0;
      return Promise.resolve(hit(isWrong(placed, tries, plays) ? wrong : ended, placed));
    };
    const report = await exploring(play, { only: (id) => id.endsWith(':1/503') });
    expect([report.breaks, report.cells.map(({ state }) => state)]).toEqual([[], ['doubtful']]);
    expect([hasFailed(report, false), hasFailed(report, true)]).toEqual([false, true]);
    expect(reportLines(report, (file) => file)[0]).toMatch(/^doubt +1st message.send/);
    expect(tally(report)).toBe('Tried 1 cell in 0 s; nothing broke in these (1 doubtful).');
    expect(reportJunit(report, false, (file) => file)).toMatch(/<skipped message="doubtful: text &quot;Hello/);
  });

  it('is doubtful if its file does not show it', async () => {
    const playFile = () => Promise.resolve('passed');
    const { breaks, cells } = await exploring(breaking, { only: only503, playFile });
    expect([breaks, cells[0]?.deviations[0]?.doubt]).toEqual([
      [],
      'Its scenario did not show it again: with the fault it passed.',
    ]);
  });

  it('has no file if that would fail a correct application, and says why', async () => {
    const playFile = () => Promise.resolve('failed');
    const report = await exploring(breaking, { only: only503, playFile });
    expect(report.breaks).toMatchObject([{ kind: 'lost', file: null }]);
    expect(reportLines(report, (file) => file)[2]).toMatch(
      /^ +No file. Without the fault, its scenario failed. +\(--only/,
    );
  });

  it('has no file if a correct application may end with an error after the fault', async () => {
    const twice = run({ requests, messages: [message(), message(), message()] }, { said: 'fine' });
    const exits = { failure: 'exit code 1', exited: true };
    const only = (id: string) => /:1\/(reset-taken|502)$/.test(id);
    const files = async (other: Partial<Run>) => {
      const play: Play = ([placed]) => {
        const over = placed === undefined ? {} : placed.fault.id === '502' ? other : twice;
        return Promise.resolve(hit({ ...ended, ...over }, placed));
      };
      return (await exploring(play, { only })).breaks.map(({ kind, file }) => [kind, file]);
    };
    expect(await files({})).toEqual([['duplicate', 'duplicate-message-send.yaml']]);
    expect(await files(exits)).toEqual([['duplicate', null]]);
  });

  it('is another one for messages of another template', async () => {
    const named = (name: string, seq: number) =>
      request({ seq, request: { headers: {}, body: { to, type: 'template', template: { name } } } });
    const usual = { requests: [named('order', 1), named('bill', 2)] };
    const play: Play = ([placed]) => {
      const name = placed?.fault.id === 'reset-taken' ? placed.point.template : null;
      const sent = ['order', 'bill', name].flatMap((one) =>
        one === null ? [] : [message({ type: 'template', template: { name: one } })],
      );
      return Promise.resolve(hit(run({ ...usual, messages: sent }, { said: 'fine' }), placed));
    };
    const { breaks } = await exploring(play, { only: (id) => id.endsWith('/reset-taken') });
    expect(breaks.map(({ file }) => file)).toEqual([
      'duplicate-message-send-bill.yaml',
      'duplicate-message-send-order.yaml',
    ]);
  });

  it('can be ignored by the name of its cell, with a reason', async () => {
    const ignored = parseIgnores("'message.send*/503': the user sends again", 'x.yaml');
    const report = await exploring(breaking, { only: only503, ignored });
    expect([report.breaks[0]?.ignored, hasFailed(report, true)]).toEqual(['the user sends again', false]);
    rejects(parseIgnores, [
      ['- a', 'must map names of cells to reasons'],
      ['lost: x', '"lost" is not a cell'],
      ["'a/b': ''", 'has no reason'],
      ['{', 'is not YAML'],
    ]);
  });

  it('can be required to lead to a message, by the name of its cell', async () => {
    const of = (text: string) =>
      exploring(breaking, { only: only503, required: parseRequirements(text, 'x.yaml').messageAfter });
    const wanted = '{ template: order_update }';
    const kindsOf = async (text: string) =>
      (await of(text)).cells.flatMap(({ deviations }) => deviations.map(({ kind }) => kind));
    expect(await kindsOf(`'message.send*/503': ${wanted}`)).toContain('check failed');
    expect(await kindsOf(`'otp.send*/503': ${wanted}`)).not.toContain('check failed');
    const cells = [fault('503'), fault('blocked'), fault('window-closed')];
    const first = requiring(cells, (id) => (id.endsWith('/blocked') ? { type: 'text' } : undefined));
    expect(first.map(({ fault: { id }, required }) => [id, required?.type])).toEqual([
      ['blocked', 'text'],
      ['503', undefined],
      ['window-closed', undefined],
    ]);
    const { messageAfter, notes } = parseRequirements(`'a/b': ${wanted}\n'c/*': ${wanted}`, 'x.yaml');
    for (const id of ['a/e', 'a/d', 'b/f']) messageAfter(id);
    const found = ['c/d', 'c/e', 'b/f'].map((id) => ({ ...untried(fault('503')), id }));
    const tried = found.map((cell, i) => (i === 0 ? { ...cell, state: 'fine' as const } : cell));
    expect([messageAfter('c/d'), notes([]), notes(tried)[0]]).toEqual([
      { template: 'order_update' },
      ["--require 'a/b' fits no cell of the story. The faults at this point are: d, e."],
      '--require: tried 1 of 2 cells that must lead to a message (c/e: not tried).',
    ]);
    rejects(parseRequirements, [
      ['- a', 'must map names of cells to messages'],
      ["'a/b': order_update", '"a/b" has "order_update". Expected a message'],
      ["'a/b': {}", '"a/b" has {}. Expected a message'],
      ["'a/b': { phone: '1' }", '"a/b" has phone: "1". Expected a message, with one or more of to, type and template'],
    ]);
  });
});

it('shows several tests of a suite a fault each in one run, and repeats alone those that deviate', async () => {
  const plays: string[][] = [];
  const tests = ['.a', '.b', '.c'];
  const play: Play = (placed) => {
    plays.push(placed.map(({ id }) => id.split('.').at(-1) ?? ''));
    const accounts = tests.map((account) => {
      const own = placed.find(({ point }) => point.account === account);
      return run({ requests: requests.slice(0, 1), account, hits: own ? { [ruleIdOf(own)]: 1 } : {} }).facts;
    });
    const isBroken = placed.some(({ id }) => id.endsWith('.b:1/429'));
    const ended = new Map(tests.map((test) => [test, isBroken && test === '.b']));
    const ending = isBroken ? { failure: 'exit code 1', exited: true } : {};
    const hits = Object.assign({}, ...accounts.map((one) => one.hits)) as object;
    return Promise.resolve({ ...run({ requests, hits }, ending), accounts, tests: ended });
  };
  const report = await exploring(play, { only: (id) => /429|503/.test(id) });
  expect(plays.slice(2).map((ids) => ids.join(' '))).toEqual([
    'a:1/503',
    'a:1/429 b:1/503 c:1/503',
    'b:1/429 c:1/429',
    // Alone, then to confirm it, with the fault and without.
    ...['b:1/429', 'b:1/429', ''],
  ]);
  expect(report.breaks).toMatchObject([{ kind: 'application failed', cell: { at: 'message.send' } }]);
  expect(report.cells.filter(({ state }) => state === 'fine').length).toBe(5);
});

it('goes on with other tries while a break is confirmed', async () => {
  let goOn: () => void = () => undefined;
  const tried = new Promise<void>((resolve) => (goOn = resolve));
  const others = new Set<string | undefined>(['429', '502']);
  let plays = 0;
  const play: Play = async ([placed]) => {
    const isBreaking = placed?.fault.id === '503';
    if (isBreaking && (plays += 1) === 2) await tried;
    others.delete(placed?.fault.id);
    if (others.size === 0) goOn();
    return hit(isBreaking ? wrong : ended, placed);
  };
  const report = await exploring(play, { lanes: 2, only: (id) => /:1.(50[23]|429)/.test(id) });
  // A similar point is tried as well, to compare.
  expect([report.breaks.length, plays]).toEqual([1, 3]);
});

describe('faults at several customers of a story', () => {
  const customers = [1, 2, 3, 4, 5].map((n) => `+1202555010${n}`);
  const calls = customers.map((to, i) => request({ seq: i + 1, request: { headers: {}, body: { to, type: 'text' } } }));
  const messages = customers.map((to) => message({ to }));
  // Each of them writes something else, so that no two are alike.
  const deliveries = customers.map((from, i) => ({
    ...{ event_type: 'message.received', created_at: at(1), seq: i + 9, attempts: [{ status: 200 }] },
    payload: JSON.stringify({ data: { from, text: 'abcde'.slice(i) } }),
  }));
  const id = (placed: Placed) => placed.id.replace('message.send:text:+1202555010', '').replace(':1/', ' ');

  /** The message to the last customer is lost after a fault at one of them. */
  const losing = (cause: string) => {
    const plays: string[] = [];
    const play: Play = (placed) => {
      plays.push(placed.map(id).join(' + '));
      const hits = Object.fromEntries(placed.map((one) => [ruleIdOf(one), 1]));
      const isLost = placed.some((one) => id(one) === cause);
      const facts = { requests: calls, deliveries, hits, messages: isLost ? messages.slice(0, 4) : messages };
      return Promise.resolve(run(facts, { said: 'fine' }));
    };
    return { play, plays };
  };

  it('share a play; the one whose customer deviates is repeated alone, and the others if it was not that one', async () => {
    const { play, plays } = losing('3 event-first');
    const report = await exploring(play, { only: (cell) => /503|[2345]:1.event-first/.test(cell) });
    expect(plays.slice(2)).toEqual([
      // Shows how the application waits.
      '1 503',
      '2 503 + 3 503 + 4 503 + 5 503',
      '2 event-first + 3 event-first + 4 event-first + 5 event-first',
      ...['5 event-first', '2 event-first'],
      ...['3 event-first', '3 event-first', ''],
      // To compare, also one that was not asked for.
      ...['1 event-first', '4 event-first'],
    ]);
    expect(report.breaks).toEqual([]);
    expect(report.cells.map(({ state }) => state).sort()).toEqual(['doubtful', ...Array<string>(8).fill('fine')]);
    expect(report.cells.flatMap(({ deviations }) => deviations.map(({ doubt }) => doubt))).toEqual([
      'The same fault broke nothing at 4 similar points, so the story may explain it.',
    ]);
    const own = losing('5 event-first');
    await exploring(own.play, { only: (cell) => /503|[2345]:1.event-first/.test(cell) });
    expect(own.plays.slice(5)).toEqual(['5 event-first', '5 event-first', '', '1 event-first']);
  });

  it('share a play with one at a call without a customer, if that passes', () => {
    const atStart = (name: string) =>
      fault(name, { kind: 'webhook.create', when: 'webhook.create', match: {}, to: null, template: null });
    const sharing = { isAlone: () => false, mayLeave: true };
    const with503 = (first: Placed) => together(first, [fault('503')], { runs: [] }, sharing).length;
    expect([with503(atStart('503')), with503(atStart('reset-taken')), with503(atStart('unknown-event'))]).toEqual([
      2, 1, 1,
    ]);
  });

  it('leave something behind in runs of their own, until that shows elsewhere; never one that changes what happens to all', async () => {
    const sizesOf = async (spoils: boolean) => {
      const sizes = new Map<string, number[]>();
      const play: Play = (placed) => {
        for (const { fault: own } of placed) sizes.set(own.id, [...(sizes.get(own.id) ?? []), placed.length]);
        const hits = Object.fromEntries(placed.map((one) => [ruleIdOf(one), 1]));
        // Whichever of them is in a run with others, somebody gets a message twice.
        const isSpoilt = spoils && placed.length > 1 && placed.some((one) => !isPassing(one));
        const left = isSpoilt ? [...messages, ...messages.slice(1, 2)] : messages;
        return Promise.resolve(
          run({ requests: calls, deliveries, hits, messages: left }, { said: 'fine', flows: true }),
        );
      };
      await exploring(play, { only: (cell) => /503|outage|:1.(blocked|reset-taken|refused)/.test(cell) });
      return sizes;
    };
    const sizes = await sizesOf(false);
    expect(Object.fromEntries(sizes)).toMatchObject({ outage: [1, 1], 503: [1, 4, 4, 4, 4], blocked: [5, 5, 5, 5, 5] });
    const spoilt = [5, 5, 5, 5, 5, 1, 1, 1, 1, 1];
    const after = { refused: spoilt, blocked: spoilt, 'reset-taken': [1, 1, 1, 1, 1] };
    expect(Object.fromEntries(await sizesOf(true))).toMatchObject(after);
  });

  it('do not include one after which the story did not end elsewhere', async () => {
    const sizes: number[] = [];
    const play: Play = (placed) => {
      const isEndless = placed.some((one) => one.fault.id === 'event-first');
      if (isEndless) sizes.push(placed.length);
      const hits = Object.fromEntries(placed.map((one) => [ruleIdOf(one), 1]));
      return Promise.resolve(
        run({ requests: calls, deliveries, hits, messages }, { said: 'fine', timedOut: isEndless }),
      );
    };
    await exploring(play, { only: (cell) => /503|event-first/.test(cell) });
    expect(sizes.filter((size) => size > 1)).toHaveLength(1);
  });

  it('are not repeated alone once one of them is a break, and others show the same at their customers', async () => {
    const plays: string[] = [];
    const play: Play = (placed) => {
      plays.push(placed.map(id).join(' + '));
      const hits = Object.fromEntries(placed.map((one) => [ruleIdOf(one), 1]));
      const twice = placed.filter((one) => one.fault.id === 'event-first').map(({ point: { to: phone } }) => phone);
      const found = [...messages, ...messages.filter((one) => twice.includes(one.to))];
      return Promise.resolve(run({ requests: calls, deliveries, hits, messages: found }, { said: 'fine' }));
    };
    const report = await exploring(play, { only: (cell) => /[12345]:1.(event-first|503)/.test(cell) });
    const tried = plays.filter((one) => one.includes('event-first'));
    expect(tried).toEqual([
      '1 event-first + 2 503 + 3 503 + 4 503 + 5 503',
      ...['1 event-first', '1 event-first'],
      '2 event-first + 3 event-first + 4 event-first + 5 event-first',
    ]);
    expect(report.breaks.map(({ kind, tries }) => [kind, tries])).toEqual([['duplicate', 5]]);
  });
});

it('doubts what an application shows after a 503 whose outcome it calls unknown at another send', () => {
  const tried = (placed: Placed, doubt: string | null): Tried => {
    const deviations: Deviation[] = [{ kind: 'lost', sentence: 'Not sent.', expect: null, doubt }];
    const state = doubt === null ? 'broken' : 'doubtful';
    const cell: Cell = { ...untried(placed), state, deviations };
    return { placed, cell, fails: false, isEndless: false, endedMs: 0 };
  };
  const of = (id: string, phone: string) => fault(id, { to: phone, id: phone });
  const reply = tried(of('503', '+12025550111'), null);
  const judged = (...others: Tried[]) => doubtByContrast(reply, [reply, ...others]);
  expect(judged(tried(of('503', '+12025550112'), maybeUnknown))).toMatch(/^At another call with this fault, /);
  expect(judged(tried(of('503', '+12025550112'), null), tried(of('429', '+12025550113'), maybeUnknown))).toBe(null);
});

it('doubts no missing message that is required, although similar faults broke nothing', () => {
  const [own, ...others] = ['1', '2', '3'].map((n) => fault('window-closed', { to: `+1202555012${n}`, id: `p${n}` }));
  const doubtOf = (kind: 'lost' | 'check failed', expected: object | null) => {
    const deviation: Deviation = {
      kind,
      sentence: 'None was sent.',
      expect: expected as Deviation['expect'],
      doubt: null,
    };
    const tried = (placed: Placed, more: Partial<Cell>): Tried => ({
      ...{ placed, cell: { ...untried(placed), ...more }, fails: false, isEndless: false, endedMs: 0 },
    });
    const broken = tried(own!, { state: 'broken', deviations: [deviation] });
    const fine = others.map((placed) => tried(placed, { state: 'fine' }));
    return doubtByContrast(broken, [broken, ...fine]);
  };
  expect(doubtOf('lost', null)).toMatch(/^The same fault broke nothing at 2 similar points/);
  expect(doubtOf('check failed', { that: 'sent' })).toBe(null);
});

it('takes a fault of a shared run for fine once a similar one has broken nothing alone', () => {
  const [own, similar, another] = [fault('blocked'), fault('blocked', { to: '+12025550122' }), fault('window-closed')];
  const deviation = { kind: 'failure hidden', sentence: 'It got 400.', expect: null, doubt: maybeOfOthers } as const;
  const unclear: Cell = { ...untried(own), state: 'doubtful', deviations: [deviation] };
  const after = (placed: Placed, state: Cell['state'], alone: Placed[]) =>
    settled(unclear, own, [{ placed, cell: { ...untried(placed), state } } as Tried], new Set(alone)).state;
  expect(after(similar, 'fine', [similar])).toBe('fine');
  const others = [after(similar, 'fine', []), after(similar, 'broken', [similar]), after(another, 'fine', [another])];
  expect(others).toEqual(['doubtful', 'doubtful', 'doubtful']);
  expect([canWait(unclear), canWait({ ...unclear, deviations: [{ ...deviation, doubt: 'x' }] })]).toEqual([
    false,
    true,
  ]);
});

it('ends with its budget, and lists what was not tried', async () => {
  let tries = 0;
  const play: Play = ([placed]) => {
    if (placed) tries += 1;
    return Promise.resolve(hit(ended, placed));
  };
  const first = await exploring(play, { now: () => (tries < 3 ? 0 : 2_000), deadlineMs: 2_000 });
  expect([first.tried, first.cells.filter(({ state }) => state === 'not tried').length > 3]).toEqual([2, true]);
  const all = first.cells.length;
  expect(percentJudged(first)).toBe(Math.floor(200 / all));
  expect(tally(first)).toBe(`Tried 2 of ${all} cells in 2 s; nothing broke in these (${all - 2} not tried).`);
  expect(untriedText(first).trim().split('\n')).toHaveLength(all - 2);
  expect(reportLines(first, (file) => `out/${file}`)).toContainEqual(
    expect.stringMatching(/^not tried: \d+ cells, .* Too few were tried to estimate .* --only @out\/not-tried.txt$/),
  );
});

it('begins no try that cannot end before the budget does', async () => {
  const play: Play = ([placed]) => Promise.resolve(hit(ended, placed));
  const within = (deadlineMs: number) => exploring(play, { now: () => 0, deadlineMs, only: only503 });
  expect([(await within(ended.tookMs)).tried, (await within(ended.tookMs + 1)).tried]).toEqual([0, 2]);
  const { tookMs } = ended;
  let hasEnded = false;
  const faster: Play = ([placed]) => {
    hasEnded ||= placed !== undefined;
    return Promise.resolve(hit({ ...ended, tookMs: placed ? tookMs / 2 : tookMs }, placed));
  };
  const now = () => (hasEnded ? tookMs / 4 : 0);
  expect((await exploring(faster, { now, deadlineMs: tookMs + 1, only: only503, lanes: 1 })).tried).toBe(2);
});

it('estimates the budget by all tries, or by the later ones if these take longer', () => {
  const ended = (...seconds: number[]) => seconds.map((s) => ({ endedMs: s * 1000 }) as Tried);
  const slower = ended(61, 61, 61, 62, 62, 62, 64, 66, 68, 70, 72, 74);
  expect([paceOf(slower, 60_000), paceOf(slower.slice(4), 60_000)]).toEqual([2, null]);
  expect(paceOf(ended(66, 66, 66, 66, 66, 66, 72, 72, 72, 72, 72, 72), 60_000)).toBe(1);
});

it('waits for no try that runs when the budget is over, and lists it', async () => {
  let end: (over: 'over') => void;
  const over = new Promise<'over'>((resolve) => (end = resolve));
  const endless: Play = ([placed]) => {
    if (placed === undefined) return Promise.resolve(ended);
    end('over');
    return new Promise(() => undefined);
  };
  const report = await exploring(endless, { over, only: only503 });
  expect([report.tried, report.cells.map(({ state }) => state)]).toEqual([0, ['not tried', 'not tried']]);
  expect([percentJudged(report), tally(report)]).toEqual([
    0,
    'Tried 0 of 2 cells in 0 s; so nothing is known (2 not tried).',
  ]);
});

it('confirms nothing after the budget, and says so', async () => {
  let plays = 0;
  const play: Play = ([placed]) => {
    if (placed) plays += 1;
    return breaking(placed ? [placed] : [], {} as Patience);
  };
  const report = await exploring(play, { only: only503, now: () => (plays < 2 ? 0 : 60_000) });
  expect([plays, report.breaks, report.cells[0]?.deviations[0]?.doubt]).toEqual([
    2,
    [],
    'The budget ended before it was repeated: pass a longer --budget.',
  ]);
});

it('confirms a break by its runs if the budget ends before its scenario does', async () => {
  let played = 0;
  const playFile = (_name: string, _text: string, _steered: boolean, limitMs: number) => {
    expect(limitMs).toBeLessThan(60_000);
    played += 1;
    return Promise.resolve('failed');
  };
  const report = await exploring(breaking, { only: only503, playFile, now: () => (played < 2 ? 0 : 59_000) });
  expect(report.breaks).toMatchObject([{ kind: 'lost', noFile: 'The budget ended before its scenario did.' }]);
});

it('leaves the end of the budget to the first break, until it is confirmed', async () => {
  const reference = referenceOf([ended]);
  let leftMs = 60_000;
  const breaks = new Breaks({
    ...{ play: breaking, how: { command: () => '', extends: null, story: null }, longestMs: 0, reference },
    ...{ leftMs: () => leftMs, patienceAfter: () => ({}) as Patience, inTurn: pLimit(1), atOnce: pLimit(1) },
  });
  const needs = (ms: number) => {
    leftMs = ms;
    return breaks.needsAll;
  };
  expect(needs(20_000)).toBe(false);
  const placed = fault('503');
  const cell = cellOf(reference, hit(wrong, placed), placed);
  breaks.add({ placed, cell, fails: false, isEndless: false, endedMs: 1 });
  expect([needs(20_000), needs(60_000)]).toEqual([true, false]);
  await breaks.confirmed;
  expect([needs(20_000), breaks.found]).toEqual([false, 1]);
  const another = fault('blocked');
  breaks.add({
    placed: another,
    cell: { ...cell, deviations: [{ ...cell.deviations[0], kind: 'duplicate' }] as Cell['deviations'] },
    fails: false,
    isEndless: false,
    endedMs: 1,
  });
  expect(needs(20_000)).toBe(false);
});

it('believes what the same fault shows at three points in three runs, without a repetition', async () => {
  const reference = referenceOf([ended]);
  const shownBy = async (tookMs: number[], endOf = wrong, doubts: (cell: Cell) => Cell = (cell) => cell) => {
    const breaks = new Breaks({
      ...{ play: breaking, how: { command: () => '', extends: null, story: null }, longestMs: 0, reference },
      ...{ leftMs: () => 0, patienceAfter: () => ({}) as Patience, inTurn: pLimit(1), atOnce: pLimit(1) },
    });
    for (const ms of tookMs) {
      const placed = fault('503');
      const cell = cellOf(reference, hit({ ...endOf, tookMs: ms }, placed), placed);
      const tried = { placed, cell, fails: false, isEndless: false, endedMs: ms };
      breaks.add(tried);
      tried.cell = doubts(cell);
    }
    await breaks.confirmed;
    return breaks.conclude([]).map(({ kind, tries, noFile }) => [kind, tries, noFile]);
  };
  expect(await shownBy([1_000, 2_000, 3_000])).toEqual([
    ['lost', 3, 'The budget ended before it was repeated: pass a longer --budget.'],
  ]);
  expect([await shownBy([1_000, 2_000]), await shownBy([1_000, 1_000, 2_000])]).toEqual([[], []]);
  // A cell of which another deviation is left counts for that one.
  const both = { ...wrong, said: 'lost' };
  const isLost = (cell: Cell) => doubted(cell, 'lost', 'It did not happen again.');
  expect(await shownBy([1_000, 2_000, 3_000], both, isLost)).toEqual([
    ['state differs', 3, 'The budget ended before it was repeated: pass a longer --budget.'],
  ]);
});

it('believes a call without a response at once', async () => {
  const open = { timedOut: true, flows: true, waits: true };
  let plays = 0;
  const play: Play = ([placed]) => {
    if (placed) plays += 1;
    return Promise.resolve(placed ? hit(run({ requests }, open), placed) : run({ requests }));
  };
  const report = await exploring(play, { only: (id) => id.endsWith('/hang'), now: () => (plays < 3 ? 0 : 60_000) });
  expect(report.breaks).toMatchObject([
    { kind: 'never settles', noFile: 'The budget ended before it was repeated: pass a longer --budget.' },
  ]);
});

describe('a file', () => {
  const placed = fault('503');
  const lost = { kind: 'lost' as const, sentence: 'It is lost.', doubt: null };
  const message = { that: 'messages', where: { to }, count: 1 };
  const steps = [{ at: '+1m', http: { url: '/orders', body: {} } }];
  const story = {
    scenario: { given: { templates: [] }, rules: [{ id: 'own' }] },
    timeline: steps,
    state: ['/orders'],
    stepsMs: [60_000],
    endMs: 60_000,
  };
  const write = ({
    at = placed,
    expect: expected = message as object | null,
    own = story as typeof story | null,
    command = 'scenario run x.yaml --app x',
  }) =>
    writeFile(
      at,
      { ...lost, expect: expected as Deviation['expect'] },
      run(),
      { command: () => command, extends: null, story: own },
      2000,
    );

  it('has the story, the fault ahead of its rules, and the time that the application needs', () => {
    const { text, without, hidden } = write({});
    expect(hidden).toBe(null);
    expect(text).toContain('Run it again in the folder in which explore ran: scenario run x.yaml --app x\n');
    expect(parse(text)).toMatchObject({
      rules: [{ when: 'message.send', pick: { calls: 1 } }, { id: 'own' }],
      timeline: [...steps, { at: '+11m', wait: { real: '2s' } }],
      expect: [{ at: 'finish', that: 'messages', count: 1 }],
    });
    expect(parse(without)).toMatchObject({ rules: [{ id: 'own' }] });
  });

  it('shows that the application accepts a forged event, whatever else follows', () => {
    const event = { when: 'webhook.deliver' as const, kind: 'message.received', match: {} };
    const { text, hidden } = write({ at: fault('forged', event), expect: null, own: null });
    expect([hidden, text]).toEqual([null, expect.stringContaining('that: attempts')]);
  });

  it('says a state that the application itself shows', () => {
    const shown = { state: { '/orders#0.state': 'sent' } };
    const { expect: checks } = parse(write({ expect: shown }).text) as { expect: object[] };
    expect(checks).toMatchObject([{ at: 'finish', ...shown }]);
    expect(write({ expect: shown, own: null, command: '' }).hidden).toMatch(/^Only the state/);
    // The account of one test is not reached by a scenario.
    const ofTest = { ...placed, point: { ...placed.point, account: '.a-test' } };
    expect(write({ at: ofTest }).hidden).toMatch(/account of one test/);
  });

  it('is valid whatever a name contains', () => {
    const { text } = write({ at: { ...placed, title: 'a\nb: [\u2028two' }, expect: null });
    expect(parse(text)).toMatchObject({ version: 1, rules: [{}, { id: 'own' }] });
  });

  it('restarts the application where the try did', () => {
    const point = { ...placed.point, kind: 'application', when: 'api.any' as const, nth: 1, atMs: 60_000 };
    const restart = {
      id: 'restart',
      words: 'is restarted',
      class: 'recoverable' as const,
      rank: 1,
      restart: '1s',
    };
    const { timeline } = parse(write({ at: place(point, restart) }).text) as { timeline: object[] };
    expect(timeline[1]).toEqual({ at: '+1m1s', restart: true });
  });
});

it('restarts an application that has something to do, too', () => {
  const story = { scenario: {}, timeline: [], stepsMs: [60_000], state: [], endMs: 60_000 };
  const all = restartsIn(story, pointsOf([run({ requests })]));
  // After a rejection, the application first notes that; while it waits for a response, it cannot.
  expect(all.slice(0, 2).map((each) => withFault([], each))).toMatchObject([
    [{ at: { by: '3s' }, restart: true }],
    [{ at: { by: '300ms' }, restart: true }],
  ]);
  const cells = all.map((each) => [each.id, each.fault.class]);
  expect(cells).toEqual([
    [`message.send:text:${to}:2/restart-503`, 'uncertain'],
    [`message.send:text:${to}:2/restart`, 'uncertain'],
    [`message.send:text:${to}:2/restart-unsent`, 'uncertain'],
    ['application:1/restart', 'recoverable'],
  ]);
  const create = request({ operation: 'createWebhook', path: '/v1/webhooks', request: { headers: {}, body: {} } });
  const paused = restartsIn(story, pointsOf([run({ requests: [create] })])).find(({ fault: { pauses } }) => pauses);
  expect(paused && withFault([], paused)).toEqual([
    { at: '+1m900ms', webhook: { status: 'paused' } },
    { at: '+1m1s', restart: true },
  ]);
  const ways = ['a to Ann', 'b to Ann', 'a to Bob', 'c to Eve', 'c to Ann'].map((id) => {
    const [template = '', , customer = ''] = id.split(' ');
    return { ...fault('503').point, id, template, to: customer, isRejected: customer === 'Eve' };
  });
  const restarts = restartsIn(story, ways);
  const queued = restarts.filter(({ fault: own }) => own.id === 'restart-503');
  // A later message makes up for one that was lost, and a rejected one shows nothing.
  expect(queued.map(({ point }) => point.id)).toEqual(['a to Bob', 'c to Ann', 'b to Ann']);
  const early = inOrder([], false, restarts).slice(0, 6);
  expect(new Set(early.map(({ point, fault: { id } }) => `${point.id} ${id}`)).size).toBe(6);
  expect(early.every(({ point, fault: { id } }) => point.template !== null && id !== 'restart-unsent')).toBe(true);
  // Without --restart, it goes on meanwhile.
  const [goesOn, ...others] = pausesIn(story, pointsOf([run({ requests: [create] })]));
  expect(goesOn && withFault([], goesOn)).toMatchObject([{ webhook: { status: 'paused' } }]);
  expect([others, pausesIn(story, [])]).toEqual([[], []]);
});

it('delivers each kind of message again after a restart', () => {
  const story = { scenario: {}, timeline: [], stepsMs: [60_000], state: [], endMs: 60_000 };
  const wrote = (nth: number, says: string) => ({
    ...{
      ...fault('503').point,
      kind: 'message.received',
      when: 'webhook.deliver' as const,
      match: { event: 'message.received' },
    },
    ...{ nth, says, id: `message.received:${nth}` },
  });
  const all = restartsIn(story, [wrote(1, 'YES'), wrote(2, 'NO')]).filter(
    ({ fault: own }) => own.id === 'restart-again',
  );
  expect(all.map(({ point }) => point.nth)).toEqual([1, 2]);
  expect(all[0] && withFault([], all[0])).toEqual([
    { at: { after: all[0] && ruleIdOf(all[0]), by: '30s' }, restart: true },
  ]);
});

it('points are named by what they are about, and kept where all runs have them', () => {
  const [two, one] = [run({ requests }), run({ requests: requests.slice(0, 1) })];
  const ids = (...runs: Run[]) => pointsOf(runs).map(({ id }) => id);
  const writes = (data: object) => ({
    ...{ event_type: 'message.received', created_at: at(1), seq: 1, attempts: [{ status: 200 }] },
    payload: JSON.stringify({ data: { from: to, ...data } }),
  });
  const said = [{ text: 'Table for 4 at 19:30' }, { interactive: { id: 'yes-42', title: 'Yes' } }, { type: 'image' }];
  expect(pointsOf([run({ deliveries: said.map(writes) })]).map(({ says }) => says)).toEqual([
    ...['Table for <number> at <number>:<number>', 'yes-<number>', undefined],
  ]);
  expect(ids(two)).toEqual([`message.send:text:${to}:1`, `message.send:text:${to}:2`, 'service', 'service:2']);
  expect(ids(two, one)).toEqual([`message.send:text:${to}:1`, 'service']);
  // After a fault at the last of several calls in vain, an application may give up.
  const check = (seq: number, status: number) =>
    request({
      ...{ seq, status, operation: 'verifyOtp', path: '/v1/otp/verify', ...(status === 429 && { error: 'locked' }) },
      request: { headers: {}, body: { otp_id: 'o', code: '1' } },
    });
  const otps = [{ otp_id: 'o', to, message_id: 'm' }];
  const checks = [check(1, 200), check(2, 429), check(3, 429)];
  expect(ids(run({ otps, requests: checks }))).toEqual([`otp.verify:${to}:1`, `otp.verify:${to}:2`]);
  // A template that the story reviews itself, or whose review nobody follows, is its preparation.
  const create = request({
    operation: 'createTemplate',
    path: '/v1/templates',
    request: { body: { name: 'hello' }, headers: {} },
  });
  const look = request({ operation: 'listTemplates', method: 'GET', path: '/v1/templates' });
  const made = (calls: object[], by?: string) =>
    ids(run({ requests: calls, templates: [{ name: 'hello', history: [{ by }] }] })).includes(
      'template.create:hello:1',
    );
  expect([made([create, look]), made([create, look], 'command'), made([create])]).toEqual([true, false, false]);
});

it('tries the other faults of a run alone three times, and then takes such deviations for those of a busy machine', () => {
  const [deviating, other, alone] = [fault('503'), fault('429'), fault('502')];
  const beside = new Beside();
  beside.note(deviating, [other, alone]);
  const causes = Array.from({ length: 4 }, () => beside.causesOf(deviating, (one) => one === alone));
  expect(causes).toEqual([[other], [other], [other], []]);
  expect(beside.causesOf(other, () => false)).toEqual([]);
});
