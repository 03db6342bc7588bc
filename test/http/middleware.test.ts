import { describe, expect, it } from 'vitest';
import type { Request, Response } from 'express';
import type { Step } from '../../src/http/api/request-context.js';
import { runSteps } from '../../src/http/api/middleware.js';

const request = {} as Request;
const response = {} as Response;

function told(...steps: Step[]): unknown[] {
  const ends: unknown[] = [];
  runSteps(steps, request, response, (error) => ends.push(error ?? 'done'));
  return ends;
}

const pass: Step = (_request, _response, next) => {
  next();
};

describe('runSteps', () => {
  it('runs one after the other, and tells the end once', () => {
    expect(told(pass, pass)).toEqual(['done']);
    const twice: Step = (_request, _response, next) => {
      next();
      next();
    };
    expect(told(twice)).toEqual(['done']);
  });

  it('stops at the first error, thrown or told, and tells it once', () => {
    const never: Step = () => {
      throw new Error('must not run');
    };
    const tells: Step = (_request, _response, next) => {
      next('told');
      throw new Error('and thrown');
    };
    expect(told(pass, tells, never)).toEqual(['told']);
    const throws: Step = () => {
      throw new RangeError('thrown');
    };
    expect(told(throws, never)).toEqual([new RangeError('thrown')]);
  });

  it('tells an error that comes after the end, as of an answer that was judged later', () => {
    const late: Step = (_request, _response, next) => {
      next();
      next('the answer is wrong');
      next('once is enough');
    };
    expect(told(pass, late)).toEqual(['done', 'the answer is wrong']);
  });
});
