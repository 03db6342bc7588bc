import { describe, expect, it } from 'vitest';
import { requestHeaders } from '../../src/webhooks/exchange.js';

describe('requestHeaders', () => {
  it('lets nobody lie about the connection or the length, in any spelling', () => {
    const given = {
      HOST: 'evil',
      'Content-length': '1',
      'Transfer-Encoding': 'chunked',
      Connection: 'close',
      'X-A': 'b',
    };
    expect(requestHeaders(given, 'https://web/', 'web', 7)).toEqual({
      host: 'web',
      connection: 'keep-alive',
      'X-A': 'b',
      'content-length': '7',
    });
  });

  it('prefers a given authorization to the credentials in the URL', () => {
    const given = { Authorization: 'Bearer x' };
    expect(requestHeaders(given, 'https://me:you@web/', 'web', 0)).toMatchObject(given);
    expect(requestHeaders({}, 'https://web/@me', 'web', 0)).not.toHaveProperty('authorization');
  });
});
