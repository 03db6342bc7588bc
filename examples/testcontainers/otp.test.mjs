// node --test examples/testcontainers/*.test.mjs   with a container engine, and the image under this name
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectSandbox } from 'messaging-sandbox';
import { GenericContainer, Wait } from 'testcontainers';

let container;
let sandbox;
before(async () => {
  container = await new GenericContainer(process.env.SANDBOX_IMAGE ?? 'messaging-sandbox')
    .withExposedPorts(4242)
    // Webhooks to https://host.docker.internal:PORT reach the process of this test.
    .withExtraHosts([{ host: 'host.docker.internal', ipAddress: 'host-gateway' }])
    .withCommand(['start', '--clock', 'frozen:2026-03-01T09:00:00Z'])
    .withWaitStrategy(Wait.forHttp('/readyz', 4242).forStatusCode(200))
    .start();
  sandbox = await connectSandbox({ url: `http://${container.getHost()}:${container.getMappedPort(4242)}` });
});
after(async () => {
  await sandbox?.close();
  await container?.stop();
});

test('a code arrives and is good once', async () => {
  await sandbox.templates.create({ name: 'login', category: 'authentication', language: 'en' });
  await sandbox.templates.approve('login');
  const { otp_id: otpId } = await sandbox.call('POST', '/v1/otp/send', { to: '+12025550123' });
  const { code } = await sandbox.otp('+12025550123');
  assert.deepEqual(await sandbox.call('POST', '/v1/otp/verify', { otp_id: otpId, code }), { valid: true });
});
