/** From spawning the process to the first 200 of /readyz, and to the first message, against a bare Express start. */
import { machineTime } from '../../src/time/host.js';
import { startBareExpress, startSandboxProcess } from '../support/servers.js';
import { approveTemplate, recipient, templateSend } from '../support/messages.js';
import { call } from '../support/load.js';
import { median, ms, ratios, type Line } from '../support/stats.js';

const rounds = 9;

export async function start(): Promise<Line[]> {
  const ours: number[] = [];
  const firstCalls: number[] = [];
  const theirs: number[] = [];
  await startSandboxProcess().then((server) => server.stop());
  for (let round = 0; round < rounds; round += 1) {
    const sandbox = await startSandboxProcess();
    ours.push(sandbox.startMs);
    const from = machineTime.monotonic();
    await approveTemplate(sandbox.url);
    await call(`${sandbox.url}/v1/messages`, 'POST', templateSend(recipient(1)));
    firstCalls.push(machineTime.monotonic() - from);
    await sandbox.stop();
    const bare = await startBareExpress();
    theirs.push(bare.startMs);
    await bare.stop();
  }
  return [
    {
      what: 'spawn to /readyz',
      measured: ms(median(ours)),
      against: `bare Express ${ms(median(theirs))}`,
      ratio: ratios(ours, theirs),
    },
    {
      what: 'then: submit a template, approve it, send the first message',
      measured: ms(median(firstCalls)),
      against: '',
      ratio: '',
    },
  ];
}
