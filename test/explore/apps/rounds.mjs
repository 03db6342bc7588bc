/**
 * Announces visits when a timer calls it, and responds when all are sent. Its state survives a restart. FAULT in the environment plants
 * a mistake; without it the application is right.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const {
  MESSAGING_BASE_URL: base,
  MESSAGING_API_KEY: key,
  PORT: port,
  SANDBOX_TMP: dir,
  FAULT: fault = '',
} = process.env;
const file = join(dir, 'visits.json');
const visits = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { '+12025550113': 'due', '+12025550114': 'due' };
const note = (phone, state) => {
  visits[phone] = state;
  writeFileSync(file, JSON.stringify(visits));
};

// Nobody knows whether a message that was under way was sent.
for (const [phone, state] of Object.entries(visits))
  if (state === 'sending') note(phone, fault === 'resends' ? 'due' : 'unknown');

async function announce(phone) {
  const template = { name: 'visit_due', language: 'en', variables: ['1 March'] };
  for (;;) {
    const response = await fetch(`${base}/v1/messages`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ to: phone, type: 'template', template }),
      signal: AbortSignal.timeout(5000),
    }).catch(() => null);
    if (response?.ok) return 'sent';
    if (response?.status !== 503 && response?.status !== 429) return 'unknown';
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

async function runDue() {
  for (const phone of Object.keys(visits)) {
    if (visits[phone] !== 'due') continue;
    if (fault !== 'overlaps') note(phone, 'sending');
    note(phone, await announce(phone));
  }
}

createServer(async ({ url }, response) => {
  if (url === '/run-due') await runDue();
  response.writeHead(200).end(JSON.stringify(url === '/state' ? visits : {}));
}).listen(Number(port), '127.0.0.1');
