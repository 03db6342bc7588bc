import { describe, expect, it } from 'vitest';
import type { Request, Response } from 'express';
import { type Middleware } from '../../src/http/api/request-context.js';
import { runMiddleware } from '../../src/http/api/request-listener.js';

const request = {} as Request;
const response = {} as Response;

function told(...steps: Middleware[]): unknown[] {
  const ends: unknown[] = [];
  runMiddleware(steps, request, response, (error) => ends.push(error ?? 'done'));
  return ends;
}

const pass: Middleware = (_request, _response, next) => {
  next();
};

describe('runMiddleware', () => {
  it('runs one after the other, and tells the end once', () => {
    expect(told(pass, pass)).toEqual(['done']);
    const twice: Middleware = (_request, _response, next) => {
      next();
      next();
    };
    expect(told(twice)).toEqual(['done']);
  });

  it('stops at the first error, thrown or told, and tells it once', () => {
    const never: Middleware = () => {
      throw new Error('must not run');
    };
    const tells: Middleware = (_request, _response, next) => {
      next('told');
      throw new Error('and thrown');
    };
    expect(told(pass, tells, never)).toEqual(['told']);
    const throws: Middleware = () => {
      throw new RangeError('thrown');
    };
    expect(told(throws, never)).toEqual([new RangeError('thrown')]);
  });

  it('tells an error that comes after the end, as of an answer that was judged later', () => {
    const late: Middleware = (_request, _response, next) => {
      next();
      next('the answer is wrong');
      next('once is enough');
    };
    expect(told(pass, late)).toEqual(['done', 'the answer is wrong']);
  });
});
