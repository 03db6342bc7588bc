import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepCompiled } from '../../src/cli/compile-cache.js';

describe('what V8 made of the files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'compiled-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is kept in the folder that came with the bundle', () => {
    const enableCompileCache = vi.fn();
    keepCompiled({ enableCompileCache }, folder);
    expect(enableCompileCache).toHaveBeenCalledExactlyOnceWith(folder);
  });

  it('is kept where Node keeps it when none came', () => {
    const enableCompileCache = vi.fn();
    keepCompiled({ enableCompileCache }, join(folder, 'none'));
    expect(enableCompileCache).toHaveBeenCalledExactlyOnceWith(undefined);
  });

  it('is not kept by a Node that cannot', () => {
    expect(() => {
      keepCompiled({}, folder);
    }).not.toThrow();
  });
});
