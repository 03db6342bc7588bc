/**
 * Takes the pictures in docs/images: `npx tsx scripts/screenshots.ts [NAME…]`, after `npm run build`. Starts a sandbox with
 * a frozen clock, plays the day of a small shop, and takes a picture of each place. Needs a chromium and a registry.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { SandboxAccount } from '../src/client/account.js';
import { createSandbox } from '../src/client/create-sandbox.js';

const [ada, grace, blocked] = ['+12025550110', '+12025550111', '+12025550121'] as const;
/** The first row of a list. */
const row = 'tbody a.target';

interface Shot {
  readonly account?: string;
  readonly place: string;
  /** Selector of the element to click first. */
  readonly click?: string;
}

/** Account of the careless shop, which replies twice to an event that arrives twice. */
const careless = 'careless_shop';
const shots: Readonly<Record<string, Shot>> = {
  'page-twice': { account: careless, place: 'messages', click: 'tbody tr:last-of-type a.target' },
  'page-messages': { place: 'messages?status=failed', click: row },
  'page-conversations': { place: `conversations/${ada}` },
  'page-webhooks': { place: 'webhooks/deliveries?state=held', click: row },
  'page-requests': { place: 'requests?status=5xx', click: row },
  'page-templates': { place: 'templates', click: row },
  'page-scenario': { place: 'scenario' },
};

const scenario = {
  version: 1,
  name: 'a-busy-day',
  description: 'Some sends are rejected once, and one customer has blocked the shop.',
  given: {
    templates: [
      { name: 'order_shipped', category: 'utility', language: 'en', body: 'Order {{1}} has left. It arrives {{2}}.' },
      { name: 'sign_in', category: 'authentication', language: 'en', body: 'Your code is {{1}}.' },
    ],
  },
  rules: [
    {
      id: 'busy-once',
      when: 'message.send',
      pick: { calls: 1 },
      per: 'phone',
      then: { respond: { status: 503, retry_after: '2s' } },
    },
  ],
  timeline: [{ at: '+6h', inbound: { phone: grace, text: 'Hello? Anybody there?' } }],
  expect: [
    {
      at: 'finish',
      that: 'messages',
      where: { direction: 'outbound' },
      duplicate: 0,
      because: 'What was rejected is tried again, and nothing is sent twice.',
    },
    {
      at: 'finish',
      that: 'otps',
      where: { state: 'verified' },
      min: 1,
      because: 'A customer who asks for a code signs in with it.',
    },
  ],
} as const;

/** @throws SandboxError if a call is rejected, which means that the story is wrong */
async function play(shop: SandboxAccount): Promise<void> {
  const send = (message: object) => shop.call('POST', '/v1/messages', message);
  const says = (phone: string, profile_name: string, text: string) => shop.customer(phone).says({ profile_name, text });

  // A receiver that is down for more than a day: its endpoint is paused by the time the shop opens.
  const old = shop.sink('old-crm');
  await old.respond(503);
  await shop.webhooks.register(old.url, ['message.received']);
  await says(grace, 'Grace', 'Are you open on Sundays?');
  await shop.clock.advance('26h');

  await shop.scenario.use(structuredClone(scenario) as never);
  await shop.webhooks.register(shop.sink('shop').url);
  await shop.templates.create({
    name: 'sale_reject',
    category: 'marketing',
    language: 'en',
    body: 'Half price today!',
  });
  await shop.clock.advance('3h');
  await shop.templates.create({ name: 'hours_slow', category: 'utility', language: 'en', body: 'Open until {{1}}.' });
  for (const [to, variables] of [
    [ada, ['A-1042', 'on Tuesday']],
    [grace, ['A-1043', 'tomorrow']],
    [blocked, ['A-1044', 'on Friday']],
  ] as const) {
    const order = { to, type: 'template', template: { name: 'order_shipped', language: 'en', variables } };
    // The scenario rejects the first send to each.
    await send(order).catch(() => send(order));
    await shop.clock.advance('40s');
  }
  await says(grace, 'Grace', 'That was quick, thank you!');
  await says(ada, 'Ada', 'Is the blue lamp in the parcel too?');
  await shop.clock.advance('30s');
  const buttons = [
    { id: 'both', title: 'Both together' },
    { id: 'soon', title: 'As soon as possible' },
  ];
  await send({ to: ada, type: 'interactive', interactive: { body: 'It follows on its own. Send both?', buttons } });
  await shop.clock.advance('20s');
  await shop.customer(ada).taps('Both together');
  await send({ to: ada, type: 'text', text: 'Done: one parcel, on Wednesday.' });
  await shop.call('POST', '/v1/otp/send', { to: ada });
  await shop.clock.advance('200ms');
}

/** Plays the story of docs/scenarios-tutorial.md with the careless shop. */
async function playTwice(account: SandboxAccount): Promise<void> {
  const env = { ...process.env, MESSAGING_BASE_URL: account.url, MESSAGING_API_KEY: account.apiKey, PORT: '3000' };
  const shop = spawn(process.execPath, ['examples/shop/careless/main.js'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(shop.stdout, 'data');
    await account.scenario.use({
      version: 1,
      name: 'twice',
      rules: [
        {
          id: 'everything-twice',
          when: 'webhook.deliver',
          match: { event: 'message.received' },
          then: { webhook: { duplicate: 1 } },
        },
      ],
      timeline: [{ at: '+1m', inbound: { phone: ada, text: 'Where is my order?', name: 'Ada' } }],
      expect: [{ at: 'finish', that: 'sent', where: { to: ada }, count: 1, because: 'One event gets one reply.' }],
    });
    await account.clock.advance('5m');
  } finally {
    shop.kill();
  }
}

const key = 'corner_shop';
const wanted = Object.entries(shots).filter(([name]) => process.argv.length < 3 || process.argv.includes(name));
const sandbox = await createSandbox({ key, clock: 'frozen:2026-03-02T09:00:00Z', logLevel: 'silent' });
const taken = await mkdtemp(join(tmpdir(), 'screenshots-'));
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  await play(sandbox);
  await playTwice(sandbox.account(careless));
  const page = await browser.newPage({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } });
  for (const [name, { account = key, place, click }] of wanted) {
    await page.goto(`${sandbox.url}/_sandbox/ui#/${account}/${place}`);
    await page.locator('[data-connection="live"]').waitFor();
    if (click !== undefined) await page.locator(click).first().click();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(taken, `${name}.png`) });
    await page.goto('about:blank');
  }
  // With 256 colours, a picture takes a third of the bytes.
  const flags = ['-o', 'docs/images', '-f', 'png', '--palette', '--compressionLevel', '9'];
  const inputs = wanted.flatMap(([name]) => ['-i', join(taken, `${name}.png`)]);
  execFileSync('npx', ['--yes', 'sharp-cli@5.2.0', ...inputs, ...flags], { stdio: 'inherit' });
} finally {
  await browser.close();
  await sandbox.close();
  await rm(taken, { recursive: true });
}
