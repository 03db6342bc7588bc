/** How `trigger --set` parses its assignments. */
import { describe, expect, it } from 'vitest';
import { assign } from '../../src/cli/assignments.js';

const made = (...assignments: string[]) => assign(assignments, ['data', 'webhook'], /^webhook\.duplicate$/);

describe('assignments', () => {
  it('give texts, JSON where it is asked for, and numbers where no text can stand', () => {
    expect(made('data.text=42', 'data.error:=null', 'data.interactive.id=a=b', 'webhook.duplicate=2')).toStrictEqual({
      data: { text: '42', error: null, interactive: { id: 'a=b' } },
      webhook: { duplicate: 2 },
    });
  });

  it.each([
    ['data', 'has no path and "="'],
    ['dat.text=a', 'sets "dat", which is not a part of the call'],
    ['data..text=a', 'has a path that leads nowhere'],
    ['data.__proto__.text=a', 'has a path that leads nowhere'],
    ['data.constructor.prototype.text=a', 'has a path that leads nowhere'],
    ['data.error:={', 'has the value "{", which is not JSON'],
    ['data.text.more=a', 'goes through "text", which already holds a value'],
  ])('refuse %s', (assignment, reason) => {
    expect(() => made('data.text=a', assignment)).toThrow(`--set: "${assignment}" ${reason}. Write data.text=hello`);
  });
});
