/** `--vary dialect`: treats each setting of the dialect, changed alone, as a fault of the whole service. */
import { dialectSettings, type Dialect, type DialectSetting } from '../../dialect/index.js';
import { errorTable, type ErrorCode } from '../../domain/errors.js';
import type { Facts, Fault, Placed, Point } from '../../explore/types.js';

type Setting = NonNullable<Fault['setting']>;

const service: Point = {
  id: 'dialect',
  title: 'the service',
  kind: 'dialect',
  when: 'api.any',
  match: {},
  nth: 0,
  to: null,
  template: null,
};

/** Returns all settings; of the statuses, only those of errors that occur in the story. */
export function dialectFaults(dialect: Dialect, { requests }: Facts): Placed[] {
  const codes = [...new Set(requests.flatMap(({ error }) => (error === undefined ? [] : [error])))];
  const settings: Setting[] = [
    ...dialectSettings.flatMap(({ key, allowed }: DialectSetting) =>
      allowed.filter((value) => value !== settingNow(dialect, key)).map((value) => ({ key, value })),
    ),
    ...codes
      .filter((code) => code in errorTable)
      .map((code) => {
        const now = dialect.errors.status[code as ErrorCode] ?? errorTable[code as ErrorCode].status;
        return { key: `errors.status.${code}`, value: now === 400 ? 422 : 400 };
      }),
  ];
  return settings.map((setting) => ({
    point: service,
    fault: {
      id: `${setting.key}: ${setting.value}`,
      words: `works with ${setting.key}: ${setting.value}`,
      class: 'recoverable',
      lastsMs: 0,
      rank: 5,
      setting,
    },
  }));
}

function settingNow(dialect: Dialect, key: string): unknown {
  const [group = '', name = ''] = key.split('.');
  return (dialect as unknown as Record<string, Record<string, unknown>>)[group]?.[name];
}

export function settingOf(placed: readonly Placed[]): Setting | null {
  return placed.find(({ fault }) => fault.setting !== undefined)?.fault.setting ?? null;
}

/** The dialect with this one setting changed. */
export function changed(dialect: Dialect, { key, value }: Setting): Dialect {
  const path = key.split('.');
  const copy = structuredClone(dialect);
  const last = path.pop() ?? '';
  const place = path.reduce((part, name) => (part as unknown as Record<string, object>)[name] as Dialect, copy);
  Object.assign(place, { [last]: value });
  return copy;
}

/** The same dialect as a file for `--dialect`. */
export function dialectFile({ key, value }: Setting): string {
  const names = key.split('.');
  return `${names.map((name, depth) => `${'  '.repeat(depth)}${name}:`).join('\n')} ${value}\n`;
}
