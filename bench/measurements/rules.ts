/** What 200 active rules cost a send: POST /v1/messages with none and with 200, half of which speak at its hook. */
import { call, load } from '../support/load.js';
import { approveTemplate, recipient, templateSend } from '../support/messages.js';
import { startSandboxProcess, type Server } from '../support/servers.js';
import { median, ratios, whole, type Line } from '../support/stats.js';

const rounds = 7;
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

export async function rulesCost(): Promise<Line[]> {
  const [none, many] = [await startSandboxProcess(), await startSandboxProcess()];
  try {
    for (const { url } of [none, many]) await approveTemplate(url);
    await call(`${many.url}/_sandbox/scenario`, 'PUT', { version: 1, name: 'many', rules: rules() });
    const costs: Record<'none' | 'many', { rates: number[]; cpu: number[] }> = {
      none: { rates: [], cpu: [] },
      many: { rates: [], cpu: [] },
    };
    for (const server of [none, many]) await load({ url: `${server.url}/v1/messages`, body, seconds: 2 });
    for (let round = 0; round < rounds; round += 1) {
      await run(none, costs.none);
      await run(many, costs.many);
    }
    const against = (of: 'rates' | 'cpu', unit: string) => ({
      measured: `${whole(median(costs.many[of]))} ${unit}`,
      against: `no rule ${whole(median(costs.none[of]))} ${unit}`,
      ratio: ratios(costs.many[of], costs.none[of]),
    });
    return [
      { what: `POST /v1/messages with ${ruleCount} active rules`, ...against('rates', 'a second') },
      ...(costs.many.cpu.length > 0 ? [{ what: 'the same, processor time a request', ...against('cpu', 'µs') }] : []),
    ];
  } finally {
    await none.stop();
    await many.stop();
  }
}

const body = templateSend(recipient(1));

async function run(server: Server, runs: { rates: number[]; cpu: number[] }): Promise<void> {
  const before = server.cpuMs();
  const { rate, count } = await load({ url: `${server.url}/v1/messages`, body, seconds: 2 });
  const after = server.cpuMs();
  runs.rates.push(rate);
  if (before !== null && after !== null) runs.cpu.push(((after - before) * 1000) / count);
}
