import { describe, expect, it } from 'vitest';
import { nearestWord } from '../../src/domain/text.js';

describe('the nearest word', () => {
  const words = ['latency_real', 'message', 'message.send', 'headers', 'status', 'otp.lock'];
  it.each([
    ['latency', 'latency_real'],
    ['Status', 'status'],
    ['statsu', 'status'],
    ['header', 'headers'],
    ['message_send', 'message.send'],
    ['mesage', 'message'],
    ['otp.lokc', 'otp.lock'],
    ['colour', undefined],
    ['', undefined],
    ['x'.repeat(1000), undefined],
  ])('%s → %s', (word, expected) => {
    expect(nearestWord(word, words)).toBe(expected);
  });
});
