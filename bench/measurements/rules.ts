/** What 200 active rules cost a send: POST /v1/messages with none and with 200, half of which speak at its hook. */
import { call, load } from '../support/load.js';
import { approveTemplate, recipient, templateSend } from '../support/messages.js';
import { startSandboxProcess, type Server } from '../support/servers.js';
import type { Figure } from '../support/figure.js';
import type { Settings } from '../support/settings.js';

const ruleCount = 200;

/** As a tester would write them: by number, glob, list, regex and text, at several hooks; none fits the load. */
function rules(): object[] {
  const matches = [
    (i: number) => ({ to: `+1${300 + i}5550123` }),
    (i: number) => ({ template: `promo_${i}_*` }),
    (i: number) => ({ to: [`+1${300 + i}5550124`, '+44*'], type: 'template' }),
    (i: number) => ({ text: { contains: `refund ${i}` } }),
    (i: number) => ({ text: `/\\brefund ${i}\\b/i` }),
  ];
  return Array.from({ length: ruleCount }, (_, i) => {
    const atSend = i % 2 === 0;
    return {
      id: `rule-${i}`,
      when: atSend ? 'message.send' : 'message.get',
      match: atSend ? matches[(i / 2) % matches.length]?.(i) : { to: `+1${300 + i}5550123` },
      then: { respond: { status: 503 } },
    };
  });
}

export async function rulesCost({ rounds, seconds }: Settings): Promise<Figure[]> {
  const [none, many] = [await startSandboxProcess(), await startSandboxProcess()];
  try {
    for (const { url } of [none, many]) await approveTemplate(url);
    await call(`${many.url}/_sandbox/scenario`, 'PUT', { version: 1, name: 'many', rules: rules() });
    const runs = { none: { rates: [], cpuUs: [] } as Runs, many: { rates: [], cpuUs: [] } as Runs };
    for (const server of [none, many]) await load({ url: `${server.url}/v1/messages`, body, seconds });
    for (let round = 0; round < rounds; round += 1) {
      await run(none, seconds, runs.none);
      await run(many, seconds, runs.many);
    }
    const against = (part: keyof Runs) => ({
      values: runs.many[part],
      against: { what: 'without a rule', values: runs.none[part] },
    });
    return [
      { what: `POST /v1/messages with ${ruleCount} active rules`, unit: '/s', ...against('rates') },
      ...(runs.many.cpuUs.length === 0
        ? []
        : [{ what: 'the same, processor time a request', unit: 'µs' as const, ...against('cpuUs') }]),
    ];
  } finally {
    await none.stop();
    await many.stop();
  }
}

interface Runs {
  readonly rates: number[];
  /** Processor microseconds per request. */
  readonly cpuUs: number[];
}

const body = templateSend(recipient(1));

async function run(server: Server, seconds: number, runs: Runs): Promise<void> {
  const before = server.cpuMs();
  const { rate, count } = await load({ url: `${server.url}/v1/messages`, body, seconds });
  const after = server.cpuMs();
  runs.rates.push(rate);
  if (before !== null && after !== null) runs.cpuUs.push(((after - before) * 1_000) / count);
}
