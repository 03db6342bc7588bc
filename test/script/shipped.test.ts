import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { CarefulApplication, CarelessApplication, type Application, type Typing } from '../support/applications.js';
import { newWorld, type Control, type World } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ clock: frozen });
});
afterAll(() => sandbox.close());

/** Lets an hour pass, so many times, and has the application come by after each. */
async function hoursPass(count: number, world: World, app: Application): Promise<void> {
  for (let hour = 0; hour < count; hour += 1) {
    await world.advance('1h');
    await app.tick();
  }
}

const promo = (to: string) => ({ to, template: 'promo_spring', variables: [to] });
const order = (number: number, to = `+1${201 + number}5550110`) => ({
  to,
  template: 'order_shipped',
  variables: [String(number)],
});

/** Types what the phone shows, after so many mistakes; first waits so many seconds. */
function customerTyping(world: World, to: string, mistakes: number, delay?: string): Typing {
  let typed = 0;
  return async () => {
    typed += 1;
    if (typed === 1 && delay !== undefined) await world.advance(delay);
    if (typed > 6) return null;
    const codes = await world.items<{ code: string }>(`/_sandbox/otps?to=${encodeURIComponent(to)}`);
    return typed <= mistakes ? '999999' : (codes.at(-1)?.code ?? null);
  };
}

type Play = (app: Application, world: World) => Promise<unknown>;

/** What the application is asked for in each exercise. */
const plays: Readonly<Record<string, Play>> = {
  'happy-path': async (app, world) => {
    await app.notify([{ to: '+12025550113', template: 'order_shipped', variables: ['42', 'Ada'] }]);
    await world.advance('2m');
  },
  'template-rejected': async (app, world) => {
    await app.submit({ name: 'promo_spring', category: 'marketing', body: 'Win a prize, {{1}}.' });
    await app.submit({ name: 'order_news', category: 'utility', body: 'News of order {{1}}.' });
    await app.notify([promo('+12025550110'), { to: '+12025550110', template: 'order_news', variables: ['42'] }]);
    await hoursPass(5, world, app);
  },
  'template-paused-midway': async (app, world) => {
    await app.notify([promo('+12025550110')]);
    await hoursPass(2, world, app);
    await app.notify([promo('+12025550111'), promo('+12025550112')]);
    await hoursPass(25, world, app);
  },
  'recipient-blocked': async (app, world) => {
    const everybody = ['+12025550110', '+12025550111', '+12025550112'].map(promo);
    await app.notify(everybody);
    await world.advance('10s');
    await app.notify([promo('+12025550110')].map((notice) => ({ ...notice, variables: ['once more'] })));
    await world.advance('1m');
  },
  'closed-window': async (app, world) => {
    await app.tell('+12025550153', 'Your order is on its way.');
    await app.tell('+12025550154', 'Your order is on its way.');
    await hoursPass(4, world, app);
  },
  'webhook-down-24h': async (app, world) => {
    await app.notify([order(42)]);
    await world.advance('30m');
    await hoursPass(27, world, app);
  },
  'webhook-chaos': (_app, world) => world.advance('1h'),
  'flaky-api': async (app, world) => {
    await app.notify(Array.from({ length: 8 }, (_, number) => order(number)));
    await world.advance('1m');
  },
  'batch-partial-failure': async (app, world) => {
    const five = ['+14155550190', '+14155550191', '+14155550192', '+14155550193', '+14155550194'];
    await app.broadcast(five, 'promo_spring');
    await world.advance('1m');
  },
  'otp-trouble': async (app, world) => {
    const [late, clumsy] = ['+12025550115', '+12025550116'];
    await app.signIn(late, customerTyping(world, late, 0, '1m'));
    await app.signIn(clumsy, customerTyping(world, clumsy, 3));
  },
  'rate-limited': async (app) => {
    const often = Array.from({ length: 3 }, (_, number) => order(100 + number, '+13125550110'));
    await app.notify([...Array.from({ length: 22 }, (_, number) => order(number)), ...often]);
  },
  'slow-review': async (app, world) => {
    await app.submit({ name: 'news', category: 'utility', body: 'News of order {{1}}.' });
    await app.notify([{ to: '+12025550110', template: 'news', variables: ['42'] }]);
    await hoursPass(26, world, app);
  },
};

/** What each exercise is about, and so has to hold against the careless one, in words of its `because`. */
const lessons: Readonly<Record<string, readonly string[]>> = {
  'happy-path': ['would be a mistake'],
  'template-rejected': ['once its approval is known', 'A rejected name stays taken'],
  'template-paused-midway': ['knocking on a closed door', 'goes on once the template is back'],
  'recipient-blocked': ['One message fails as blocked', 'stops after the first refusal'],
  'closed-window': ['a retry that cannot work', 'a template is the only way'],
  'webhook-down-24h': ['the only place that says paused', 'Registering again', 'hears events again', 'looked up'],
  'webhook-chaos': ['must not be trusted', 'however strange it looks', 'answered once'],
  'flaky-api': ['not sent again'],
  'batch-partial-failure': ['sent once', 'A refused entry stays refused', 'is final'],
  'otp-trouble': ['comes a new one', 'A code is a text', 'signed in'],
  'rate-limited': ['at least 20 messages'],
  'slow-review': ['still under review', 'the template is used'],
};

it('every shipped scenario is played', () => {
  const shipped = readdirSync('scenarios').filter((file) => file.endsWith('.yaml'));
  expect(Object.keys(plays).sort()).toEqual(shipped.map((file) => file.replace('.yaml', '')).sort());
});

type Kind = new (world: World, wait: (seconds: number) => Promise<unknown>) => Application;

async function verdictOn(name: string, Kind: Kind): Promise<Control['Verdict']> {
  const world = newWorld(sandbox);
  const { warnings } = await world.put<Control['ActiveScenario']>('/_sandbox/scenario', { name });
  expect(warnings).toEqual([]);
  const app = new Kind(world, (seconds) => world.advance(`${seconds}s`));
  await app.open();
  try {
    await plays[name]?.(app, world);
    return await world.get<Control['Verdict']>('/_sandbox/verdict');
  } finally {
    await app.close();
  }
}

describe.each(Object.keys(plays))('%s', (name) => {
  it('is passed by a careful application', async () => {
    const { checks } = await verdictOn(name, CarefulApplication);
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
  });

  it('is failed by a careless one', async () => {
    const { passed, checks } = await verdictOn(name, CarelessApplication);
    expect(passed).toBe(false);
    for (const check of checks) expect(String(check.found)).not.toContain('not judged yet');
    const failed = checks.filter((check) => !check.passed).map(({ that }) => that);
    const taught = (lessons[name] ?? []).filter((words) => failed.some((that) => that.includes(words)));
    expect(taught).toEqual(lessons[name]);
  });
});
