/** A step that is made with the first call. */
import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/http/api/request-context.js';
import { atFirstCall } from '../../src/http/api/first-call.js';

const call = (step: Step, name: string, next: (error?: unknown) => void = () => undefined) =>
  step({ url: name } as Request, {} as Response, next);

describe('a step of the first call', () => {
  it('is made once, when it is called, and lets calls pass in their order', async () => {
    const seen: string[] = [];
    let made = 0;
    let finish = (_step: Step): void => undefined;
    const step = atFirstCall(() => {
      made += 1;
      return new Promise<Step>((resolve) => (finish = resolve));
    });
    expect(made).toBe(0);
    call(step, 'one');
    call(step, 'two');
    expect([made, seen]).toStrictEqual([1, []]);
    const third = new Promise<void>((resolve) => {
      finish((request, _response, next) => {
        seen.push(request.url ?? '');
        next();
      });
      call(step, 'three', () => resolve());
    });
    await third;
    call(step, 'four');
    expect([made, seen]).toStrictEqual([1, ['one', 'two', 'three', 'four']]);
  });

  it('fails each call when it cannot be made, and when it throws', async () => {
    const broken = atFirstCall(() => Promise.reject(new Error('not to be had')));
    const errors = await Promise.all([1, 2].map(() => new Promise((resolve) => call(broken, 'x', resolve))));
    expect(errors).toStrictEqual([new Error('not to be had'), new Error('not to be had')]);
    const throwing = atFirstCall(() =>
      Promise.resolve(() => {
        throw new Error('refused');
      }),
    );
    expect(await new Promise((resolve) => call(throwing, 'x', resolve))).toStrictEqual(new Error('refused'));
  });
});
