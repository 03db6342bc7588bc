import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** The page's timers, controlled by the test: each waits until the test fires it. */
const timers: (() => void)[] = [];
vi.mock('../../src/ui/page/core/browser.js', () => ({
  later: (_ms: number, work: () => void) => {
    timers.push(work);
    return () => {
      if (timers.includes(work)) timers.splice(timers.indexOf(work), 1);
    };
  },
}));

class Socket {
  static readonly all: Socket[] = [];
  onopen = (): void => undefined;
  onmessage = (_message: { data: string }): void => undefined;
  onclose = (): void => undefined;
  closed = false;

  constructor(readonly url: string) {
    Socket.all.push(this);
  }

  close(): void {
    this.closed = true;
  }

  tell(seq: number): void {
    this.onmessage({ data: JSON.stringify({ seq, at: '2026-03-01T09:00:00.000Z', kind: 'event.created', data: {} }) });
  }
}

/** The sandbox's response to the question of how long it has been running; null if it is unreachable. */
let uptimeMs: number | null = 1000;
const asked = vi.fn((): Promise<Response> => {
  if (uptimeMs === null) return Promise.reject(new TypeError('refused'));
  return Promise.resolve(
    new Response(JSON.stringify({ uptime_ms: uptimeMs }), { headers: { 'content-type': 'application/json' } }),
  );
});

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const runTimers = async () => {
  for (const work of timers.splice(0)) work();
  await settled();
};

interface Stream {
  readonly connection: { readonly value: object };
  start(): void;
  stop(): void;
  retry(): void;
}
interface Listener {
  readonly onFrames: (frames: readonly { readonly seq: number }[]) => void;
  readonly onOpen: () => void;
}

/** By computed names, because the compiler of the tests does not know browsers. */
async function newStream(key: string, token: string, listener: Listener): Promise<Stream> {
  const core = '../../src/ui/page/core';
  const { LiveStream } = (await import(`${core}/live.ts`)) as { LiveStream: new (...parts: unknown[]) => Stream };
  const { controlToken } = (await import(`${core}/api.ts`)) as { controlToken: { value: string } };
  controlToken.value = token;
  return new LiveStream(key, listener);
}

const opened = vi.fn();
const seen: number[] = [];
let stream: Stream;

beforeEach(async () => {
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('location', { protocol: 'http:', host: 'sandbox.test' });
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('fetch', asked);
  uptimeMs = 1000;
  stream = await newStream('key', 'let-me-in', {
    onFrames: (frames) => seen.push(...frames.map(({ seq }) => seq)),
    onOpen: opened,
  });
});
afterEach(() => {
  stream.stop();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
  for (const list of [timers, Socket.all, seen]) list.length = 0;
});

const started = async () => {
  stream.start();
  await settled();
  const [socket] = Socket.all;
  if (!socket) throw new Error('no socket was opened');
  return socket;
};

describe("the page's live stream", () => {
  it('opens a socket with key and token, from nowhere, and hands on what comes', async () => {
    const socket = await started();
    expect(socket.url).toBe('ws://sandbox.test/_sandbox/live?key=key&control_token=let-me-in');
    socket.onopen();
    expect(stream.connection.value).toStrictEqual({ state: 'live' });
    expect(opened).toHaveBeenCalledTimes(1);
    socket.tell(4);
    socket.tell(5);
    await runTimers();
    expect(seen).toStrictEqual([4, 5]);
  });

  it('says after every connection that everything must be read', async () => {
    const socket = await started();
    socket.onopen();
    socket.onmessage({
      data: '{"seq":7,"at":"2026-03-01T09:00:00.000Z","kind":"reset","data":{"reason":"connected"}}',
    });
    socket.tell(7);
    await runTimers();
    expect(seen).toStrictEqual([7]);
    socket.onclose();
    expect(stream.connection.value).toStrictEqual({ state: 'waiting', attempt: 1 });
    await runTimers();
    expect(Socket.all[1]?.url).toBe(socket.url);
    Socket.all[1]?.onopen();
    expect(opened).toHaveBeenCalledTimes(2);
    Socket.all[1]?.onclose();
    // Once it was connected, the next disconnect counts as the first.
    expect(stream.connection.value).toStrictEqual({ state: 'waiting', attempt: 1 });
  });

  it('has one socket, however impatient one is', async () => {
    const socket = await started();
    socket.onopen();
    socket.onclose();
    stream.retry();
    stream.retry();
    await settled();
    expect(Socket.all).toHaveLength(2);
    stream.retry();
    await settled();
    expect(Socket.all.map(({ closed }) => closed)).toStrictEqual([false, true, false]);
    expect(timers).toHaveLength(0);
    Socket.all[2]?.onopen();
    Socket.all[1]?.onclose();
    expect(stream.connection.value).toStrictEqual({ state: 'live' });
  });

  it('that was stopped while the sandbox is away asks no more', async () => {
    uptimeMs = null;
    stream.start();
    await settled();
    expect(stream.connection.value).toStrictEqual({ state: 'waiting', attempt: 1 });
    stream.retry();
    stream.stop();
    await settled();
    await runTimers();
    expect(asked).toHaveBeenCalledTimes(2);
    expect(timers).toHaveLength(0);
  });
});
