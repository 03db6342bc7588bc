import type { Row } from '../support/figure.js';
import type { Findings } from '../support/results.js';
import type { Settings } from '../support/settings.js';
import { advance } from './advance.js';
import { deliveries } from './deliveries.js';
import { growth, growthOnDisk } from './growth.js';
import { hungEndpoint } from './hung-endpoint.js';
import { inProcess } from './in-process.js';
import { peersUnderLoad } from './peers-load.js';
import { peersStart } from './peers-start.js';
import { memory } from './memory.js';
import { page } from './page.js';
import { rulesCost } from './rules.js';

export interface Measurement {
  /** For the command line, and for the file of its results. */
  readonly name: string;
  /** Heading of its section. */
  readonly title: string;
  /** One sentence for `--help`, two or three for the page: what is done, and how it is to be read. */
  readonly summary: string;
  readonly method: string;
  readonly measure: (settings: Settings) => Promise<Findings>;
}

/** In the order of the page. */
export const measurements: readonly Measurement[] = [
  {
    name: 'peers',
    title: 'Under load, beside others',
    summary: 'sends, look-ups and batches of 100 to ours and to every peer, in turn',
    method:
      'All servers run at once and are idle but for the one whose turn it is. A turn is a run of sends (one template message to one number), of look-ups of one message, of batches of 100 numbers, and of sends and batches alone: 100 of each on one connection, of which counts how long an answer takes. After each comes a rest of 1.2 s, so that what ours does later (its messages are delivered and read within a second) is on its own bill. Every other round goes backwards.',
    measure: peersUnderLoad,
  },
  {
    name: 'peers-start',
    title: 'Start and idle, beside others',
    summary:
      'spawn to ready, to the first accepted send, memory then, and to those of a run of tests, of ours and every peer',
    method:
      'From spawning the process to the first 2xx of any kind, asked for every 2 ms; then to the first accepted `POST /v1/messages`; then, a second later, resident memory; then, without that second, until as many sends as a run of tests may hold are accepted, over ten connections: in CI every server is fresh, and none has time to warm up. One start of each goes before and is not counted, so that caches (of the disk, and of compiled code where a server keeps one) are warm for all.',
    measure: peersStart,
  },
  {
    name: 'in-process',
    title: 'In the process of a test',
    summary: 'import of the library and createSandbox()',
    method: 'A process of its own for each round. Spread instead of ratio.',
    measure: (settings) => rows(inProcess(settings)),
  },
  {
    name: 'deliveries',
    title: 'Webhook deliveries',
    summary: 'signed deliveries a second to one endpoint',
    method:
      'Messages are sent on a frozen clock; timed is the advance that makes the attempts for their `delivered` and `read` events, each of them signed, sent over loopback, answered and recorded; one round goes before and is not counted. Beside it, what the same receiver, a bare socket, takes from the load generator.',
    measure: (settings) => rows(deliveries(settings)),
  },
  {
    name: 'hung-endpoint',
    title: 'One of ten endpoints hangs',
    summary: 'what nine endpoints notice of a tenth that never answers',
    method:
      'Real clock, one event per message, ten endpoints. Timed is how long nine of them wait for all of theirs, from the first send on. Three sandboxes take turns, whose tenth endpoint answers, hangs, or is not there; one round of each goes before and is not counted.',
    measure: (settings) => rows(hungEndpoint(settings)),
  },
  {
    name: 'advance',
    title: 'Moving the clock',
    summary: 'clock advances over 10,000 and 100,000 pending jobs',
    method: 'Frozen clock, no endpoints; every job is a change of a message, with its event.',
    measure: (settings) => rows(advance(settings)),
  },
  {
    name: 'rules',
    title: 'Many rules',
    summary: 'what 200 active rules cost a send',
    method:
      'Rules as a tester would write them (number, glob, list, regular expression, text), half of them for sends, none of which fits.',
    measure: (settings) => rows(rulesCost(settings)),
  },
  {
    name: 'growth',
    title: 'Growth in memory',
    summary: 'sends, look-ups and filtered pages on the way to a million messages, in memory',
    method:
      'A server is filled in batches of 100, each message to a number of its own. On the way, at rest, sends (one at a time on ten connections), look-ups and pages of 20 are run in turns on it and on a new one that holds 3,000 messages. Pages are filtered: everything read of type template, from the beginning and from a cursor at nine tenths, and the messages to one number. Processor time counts what comes of a send until it is read. The event loop is watched during the filling.',
    measure: (settings) => rows(growth(settings)),
  },
  {
    name: 'growth-on-disk',
    title: 'Growth with `--data`',
    summary: 'the same with --data, and a start that finds them all',
    method:
      'As above, both servers with `--data`. A checkpoint counts as being written while its unfinished file is there; messages are sent during its first part only, so that what it holds the event loop for can be told from what they do. At the end the full server is stopped and started again.',
    measure: (settings) => rows(growthOnDisk(settings)),
  },
  {
    name: 'memory',
    title: 'Memory',
    summary: 'what an idle account and a message take',
    method:
      'Heap and buffers in use after a collection, told by the process itself. Filled in four equal parts, each at rest when it is measured; the slopes of the third and the fourth, so that what is kept in bounded number (the newest 100,000 events, the journal) is not in it.',
    measure: (settings) => rows(memory(settings)),
  },
  {
    name: 'page',
    title: 'The page in a browser',
    summary: 'opening the page on 10,000 messages and 50,000 journal entries, while more come',
    method:
      'Chromium, a new window with an empty cache each time, on an account with 10,000 messages to as many customers and 50,000 calls in its journal. Usable means: a conversation opened by a click shows its messages. Long tasks are those the browser itself reports, from 50 ms on; 0 is none.',
    measure: (settings) => rows(page(settings)),
  },
];

async function rows(found: Promise<readonly Row[]>): Promise<Findings> {
  return { kind: 'rows', rows: await found };
}
