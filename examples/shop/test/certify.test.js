/** Runs `messaging-sandbox certify` on the receivers of both shops. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startShop as startCareless } from '../careless/shop.js';
import { closeSandbox, openSandbox, openShop } from './together.js';

before(openSandbox);
after(closeSandbox);

const cli = fileURLToPath(new URL('./cli/main.js', import.meta.resolve('messaging-sandbox')));
const secret = 'whsec_that_both_sides_know';

/** @param {string} url @returns {Promise<{ code: unknown, certificate: any }>} */
function certify(url) {
  const args = [cli, 'certify', `${url}/hooks/messaging`, '--secret', secret, '--observe', `${url}/received`, '--json'];
  return new Promise((done) => {
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
      done({ code: error ? error.code : 0, certificate: JSON.parse(stdout) });
    });
  });
}

/** @param {{ checks: { id: string, result: string }[] }} certificate @param {string} result */
const idsWith = ({ checks }, result) => checks.filter((check) => check.result === result).map(({ id }) => id);

test('the shop has the full score', async (t) => {
  const shop = await openShop(t, { settings: { webhookSecret: secret } });
  const { code, certificate } = await certify(shop.url);
  assert.deepEqual([code, idsWith(certificate, 'failed'), idsWith(certificate, 'skipped')], [0, [], ['own-failure']]);
  assert.ok(certificate.score.total > 20);
  assert.equal(certificate.score.passed, certificate.score.total);
});

test('its careless twin is not certified', async (t) => {
  const shop = await openShop(t, { start: startCareless, settings: { webhookSecret: secret } });
  const { code, certificate } = await certify(shop.url);
  const failed = idsWith(certificate, 'failed');
  assert.equal(code, 1);
  for (const id of ['missing-signature', 'wrong-secret', 'other-body', 'deduplicates', 'unknown-type']) {
    assert.ok(failed.includes(id), `${id} should have failed; failed were ${failed.join(', ')}`);
  }
});
