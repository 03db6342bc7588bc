import express from 'express';
import { describe, expect, it } from 'vitest';
import { defaultDialect } from '../../src/dialect/default.js';
import { documentsOf } from '../../src/documents.js';
import { warmValidator } from '../../src/http/validation/request-validator.js';

describe('the warm-up', () => {
  it('is done in parts, between which calls are handled', async () => {
    let turns = 0;
    const turn = () => {
      turns += 1;
      return Promise.resolve();
    };
    const { requests } = documentsOf(defaultDialect);
    await warmValidator(requests, express(), turn);
    const loadingParts = 2;
    const posts = Object.entries(requests.paths).filter(([path, { post }]) => path.startsWith('/v1/') && post);
    expect(turns).toBe(loadingParts + 2 * posts.length);
  });
});
