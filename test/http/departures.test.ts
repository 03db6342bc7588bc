import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Departures } from '../../src/http/api/departures.js';

/** A machine whose turns end when the test says so. */
function turns() {
  const waiting: (() => void)[] = [];
  return {
    defer: (fn: () => void) => void waiting.push(fn),
    end: () => {
      for (const fn of waiting.splice(0)) fn();
    },
  };
}

/** A response that only notes what it was ended with. */
function recorded(into: string[]): ServerResponse {
  return { end: (text: string) => void into.push(text) } as unknown as ServerResponse;
}

describe('departures', () => {
  it('lets what was answered in one turn leave at its end, in order', () => {
    const turn = turns();
    const left: string[] = [];
    const departures = new Departures(turn);
    departures.end(recorded(left), 'one');
    departures.end(recorded(left), 'two');
    expect(left).toEqual([]);
    turn.end();
    expect(left).toEqual(['one', 'two']);
    departures.end(recorded(left), 'three');
    turn.end();
    expect(left).toEqual(['one', 'two', 'three']);
  });

  it('keeps nobody waiting behind more than 64', () => {
    const turn = turns();
    const left: string[] = [];
    const departures = new Departures(turn);
    for (let n = 1; n < 64; n += 1) departures.end(recorded(left), String(n));
    expect(left).toEqual([]);
    departures.end(recorded(left), '64');
    expect(left).toHaveLength(64);
    departures.end(recorded(left), '65');
    expect(left).toHaveLength(64);
    turn.end();
    expect(left).toHaveLength(65);
  });

  it('lets the others leave when a caller has gone away', async () => {
    const turn = turns();
    const departures = new Departures(turn);
    const both: ServerResponse[] = [];
    const server = createServer((_request, response) => void both.push(response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const call = () => connect(port, '127.0.0.1').end('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const gone = call();
    await once(server, 'request');
    const stays = call();
    await once(server, 'request');
    for (const [index, response] of both.entries()) departures.end(response.writeHead(200), `answer ${String(index)}`);
    gone.destroy();
    both[0]?.destroy();
    turn.end();
    let heard = '';
    for await (const chunk of stays) heard += String(chunk);
    expect(heard).toContain('answer 1');
    server.close();
  });
});
