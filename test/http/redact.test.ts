import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { redactedHeaders } from '../../src/domain/redact.js';
import { redactedHeadersOf } from '../../src/http/api/journal.js';

function callWith(headers: Record<string, string>): IncomingMessage {
  const call = new IncomingMessage(new Socket());
  call.rawHeaders = Object.entries(headers).flat();
  call.headers = headers;
  return call;
}

describe('the headers that a journal entry keeps', () => {
  const sets = [
    { host: 'a', authorization: 'Bearer first-of-all' },
    { host: 'a', authorization: 'Bearer second-one' },
    { host: 'a', authorization: 'Bearer second-one', 'x-more': '1' },
    { host: 'a' },
    {},
  ];

  it('are those of its own call, whichever calls came before', () => {
    for (const first of sets) {
      for (const second of sets) {
        redactedHeadersOf(callWith(first));
        expect(redactedHeadersOf(callWith(second))).toEqual(redactedHeaders(second));
      }
    }
  });

  it('are shared by calls that say the same', () => {
    const [one, other] = [redactedHeadersOf(callWith({ host: 'b' })), redactedHeadersOf(callWith({ host: 'b' }))];
    expect(other).toBe(one);
  });
});
