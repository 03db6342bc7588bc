import { expect, it } from 'vitest';
import { defaultDialect } from '../../src/dialect/index.js';
import { newWorld } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

it('lookups show the buttons of a template when the dialect says so', async () => {
  const sandbox = await startTestSandbox({
    clock: { mode: 'frozen', scale: 1, startMs: 0 },
    dialect: { ...defaultDialect, templates: { echo_buttons: true } },
  });
  const world = newWorld(sandbox);
  const buttons = [{ type: 'quick_reply', text: 'Yes' }];
  const id = await world.template('a', { buttons });
  expect(await world.get(`/v1/templates/${id}`)).toMatchObject({ buttons });
  expect(await world.get('/v1/templates')).toMatchObject({ templates: [{ buttons }] });
  await sandbox.close();
});
