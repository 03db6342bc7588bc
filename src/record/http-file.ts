/**
 * Writes a recording as a file of HTTP requests for editors: the calls of the application and, between them, the
 * actions of the outside world.
 */
import { bodyOf, type RequestRecord } from '../domain/request-record.js';
import { actionsOf, openedWindows, type Action } from './actions.js';
import type { Recording } from './recording.js';

interface Line {
  readonly atMs: number;
  readonly seq: number;
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** Ids that later lines may use, each with its position in the response. */
  readonly makes: readonly (readonly [id: string, field: string])[];
}

/** Ids of earlier responses become references to them, so that the file can be sent to an empty account. */
export function httpFile(recording: Recording, url: string): string {
  const { account, within } = recording;
  const lines = [
    ...[...account.store.tables.requests.all()].filter(within).map(callLine),
    // Just before the message that needs the open window.
    ...openedWindows(recording).flatMap((action) => actionLine({ ...action, seq: action.seq - 1 })),
    ...actionsOf(recording).flatMap(actionLine),
  ].sort((a, b) => a.atMs - b.atMs || a.seq - b.seq);
  const known = new Map<string, string>();
  const blocks = lines.map((line, index) => {
    const name = `call${index + 1}`;
    const put = (text: string) =>
      text.replaceAll(uuid, (id) => {
        const place = known.get(id);
        return place === undefined ? id : `{{${place}}}`;
      });
    const head = [`### ${line.title}`, `# @name ${name}`, `${line.method} {{baseUrl}}${put(line.path)}`];
    const headers = [
      'Authorization: Bearer {{apiKey}}',
      ...(line.body === undefined ? [] : ['Content-Type: application/json']),
    ];
    const text = [...head, ...headers, ...(line.body === undefined ? [] : ['', put(line.body)])].join('\n');
    for (const [id, field] of line.makes) known.set(id, `${name}.response.body.${field}`);
    return text;
  });
  return [`@baseUrl = ${url}\n@apiKey = ${account.key}`, ...blocks].join('\n\n') + '\n';
}

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

function callLine({ request, response, ...row }: RequestRecord): Line {
  const body = bodyOf(request);
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return {
    atMs: row.atMs,
    seq: row.seq,
    title: `${row.operation ?? 'unknown call'}, answered ${row.status ?? 'by nothing'}${row.error === undefined ? '' : ` ${row.error}`}`,
    method: row.method,
    path: row.path + (request.query === undefined ? '' : `?${request.query}`),
    ...(text !== undefined && { body: text }),
    makes: idsOf(bodyOf(response)),
  };
}

function idsOf(body: unknown): (readonly [string, string])[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body)
    .filter((entry): entry is [string, string] => /_id$/.test(entry[0]) && typeof entry[1] === 'string')
    .map(([field, id]) => [id, field] as const);
}

/** Actions that a single call cannot repeat, such as a move that needs a lookup first, are omitted. */
function actionLine({ atMs, seq, what, subject = '' }: Action): Line[] {
  const line = (title: string, method: string, path: string, body: object): Line[] => [
    { atMs, seq, title, method, path: `/_sandbox${path}`, body: JSON.stringify(body, null, 2), makes: [] },
  ];
  const { inbound, window, message, template, emit } = what;
  if (inbound) return line(`${inbound.from} writes`, 'POST', '/inbound', inbound);
  if (window)
    return line('the window of a customer', 'PUT', `/customers/${window.phone}/window`, { open: window.open });
  if (message) {
    const { status, error } = message;
    return line(`the channel reports ${status}`, 'POST', `/messages/${subject}/status`, {
      status,
      ...(error && { error }),
    });
  }
  if (emit)
    return line('an event on demand', 'POST', '/events', {
      type: emit.type,
      data: emit.data,
      ...(emit.webhook && { webhook: emit.webhook }),
    });
  if (!template) return [];
  const { name, status, reason } = template;
  const path = `/templates/${subject}`;
  const isReview = status === 'rejected' || (status === 'approved' && seq !== Infinity);
  return isReview
    ? line(`review of ${name}`, 'POST', `${path}/review`, { decision: status, ...(reason && { reason }) })
    : line(`${name} becomes ${status}`, 'POST', `${path}/status`, { status });
}
