/** What Redocly's and Spectral's recommended rules say of both documents: nothing. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { expect, it } from 'vitest';
import { dialectDocument } from '../../src/dialect/document.js';
import { defaultDialect, type Dialect } from '../../src/dialect/index.js';
import { readApiDocument } from '../support/openapi-document.js';
import { describeWith, document, inFolder, run, tool } from './support.js';

const redocly = tool('npm', 'node_modules', '.bin', 'redocly');
const spectral = tool('npm', 'node_modules', '.bin', 'spectral');

const otherDialect: Dialect = {
  ...defaultDialect,
  http: { created: 201 },
  errors: { envelope: 'flat', status: { send_failed: 409, validation_error: 422, unauthorized: 403 } },
  otp: { lock: 'same_call' },
  webhooks: { ...defaultDialect.webhooks, extra_headers: false },
};

describeWith('Redocly and Spectral', [redocly, spectral], () => {
  it.each([
    ['openapi.yaml', () => Promise.resolve(document)],
    ['the control plane', () => Promise.resolve(join(process.cwd(), 'src', 'http', 'control', 'openapi.yaml'))],
    [
      'another dialect',
      async (folder: string) => {
        const path = join(folder, 'other.yaml');
        await writeFile(path, stringify(dialectDocument(readApiDocument(), otherDialect)));
        return path;
      },
    ],
  ])('find nothing in %s', { timeout: 180_000 }, async (_name, prepare) => {
    await inFolder(async (folder) => {
      const path = await prepare(folder);
      const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const found = JSON.parse(await run(redocly, ['lint', path, '--format=json'], folder, quiet)) as {
        problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
      };
      const problems = found.problems.map(
        (each) => `${each.ruleId} ${each.location[0]?.pointer ?? ''} ${each.message}`,
      );
      expect(problems).toEqual([]);
      await writeFile(join(folder, 'rules.yaml'), 'extends: ["spectral:oas"]\n');
      const said = await run(spectral, ['lint', '--ruleset', 'rules.yaml', '--fail-severity=warn', path], folder);
      expect(said).toContain('No results');
    });
  });
});
