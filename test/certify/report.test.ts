import { describe, expect, it } from 'vitest';
import { checks } from '../../src/certify/checks.js';
import { certificateJson, certificateJunit, checkLines, notes, summaryLines } from '../../src/certify/report.js';
import type { Certificate } from '../../src/certify/run.js';
import { receiver, SECRET } from './receiver.js';
import type { Conduct } from './receiver.js';
import { certified } from './support.js';

const plain = { colour: false };
const chosen = checks.filter(({ id }) => ['late-event', 'deduplicates', 'other-body', 'same-refusal'].includes(id));

/** Accepts everything, and so fails one required check; the recommended one is skipped. */
async function careless(conduct: Conduct = { believes: () => true }): Promise<Certificate> {
  return certified((await receiver(conduct)).url, { checks: chosen });
}

function linesOf(certificate: Certificate, id: string, colour = false): string[] {
  const checked = certificate.checks.find(({ check }) => check.id === id);
  return checked ? checkLines(checked, { colour }) : [];
}

describe('the text', () => {
  it('says in a line what passed, and all about what failed', async () => {
    const certificate = await careless();
    expect(linesOf(certificate, 'late-event')).toStrictEqual(['✓ Accepts an event that is 23 hours old  late-event']);
    expect(linesOf(certificate, 'deduplicates')).toStrictEqual([
      '– Counts a repeated event once  deduplicates',
      '    skipped   not observable; name a counter with --observe URL',
    ]);
    expect(linesOf(certificate, 'other-body')).toStrictEqual([
      '✗ Rejects a signature that belongs to another body  other-body',
      '    sent      message.received with the signature of an event that differs from it in one character.',
      '    expected  A 4xx.',
      '    found     signature of another body: accepted with 204 No Content.',
      '    why       A signature seen once, in a log or at a proxy, would otherwise vouch for any event.',
    ]);
    expect(summaryLines(certificate, plain)).toStrictEqual([
      'Not certified: 1 of 2 required checks, 1 of 2 checks passed (2 skipped).',
    ]);
  });

  it('marks a recommendation that is not met, and certifies all the same', async () => {
    const refuse: Conduct['refuse'] = ({ signature, response }) =>
      response.writeHead(signature === undefined ? 400 : 401).end();
    const certificate = await careless({ refuse });
    expect(linesOf(certificate, 'same-refusal')[0]).toBe(
      '! Rejects every forgery with the same response (recommended)  same-refusal',
    );
    expect(summaryLines(certificate, plain)).toStrictEqual([
      'Certified: 2 of 2 required checks, 2 of 3 checks passed (1 skipped).',
    ]);
  });

  it('has colour where it is wanted, and nowhere else', async () => {
    const certificate = await careless();
    const text = (colour: boolean) =>
      [...chosen.flatMap(({ id }) => linesOf(certificate, id, colour)), ...summaryLines(certificate, { colour })].join(
        '',
      );
    expect(text(true)).toContain('\u001b[31m✗\u001b[0m');
    expect(text(false)).not.toContain('\u001b');
    expect(text(true).replaceAll(/\u001b\[[\d;]*m/g, '')).toBe(text(false));
  });

  it('knows a secret that does not fit from a path that does not', async () => {
    const noteOf = async (status: number, notedChecks = checks.slice(0, 4)): Promise<string[]> => {
      const { url } = await receiver({ before: ({ response }) => Boolean(response.writeHead(status).end()) });
      return notes(await certified(url, { checks: notedChecks }));
    };
    expect(await noteOf(401)).toStrictEqual([expect.stringContaining('Does it use the secret of this run')]);
    expect(await noteOf(404)).toStrictEqual([expect.stringContaining('nothing accepts a POST at this path')]);
    expect(await noteOf(500)).toStrictEqual([]);
    expect(await noteOf(401, chosen)).toStrictEqual([]);
  });
});

describe('the JSON', () => {
  it('holds the score, and every request and answer, but never the secret', async () => {
    const certificate = await careless();
    const json = certificateJson(certificate);
    expect(json).toMatchObject({
      certified: false,
      score: { passed: 1, total: 2 },
      required: { passed: 1, total: 2 },
      timeout_ms: 10_000,
      checks: [
        { id: 'deduplicates', result: 'skipped', level: 'required', exchanges: [] },
        {
          id: 'late-event',
          result: 'passed',
          exchanges: [{ label: '23 hours old', status: 204, request: { headers: { 'X-Service-Attempt': '26' } } }],
        },
        { id: 'other-body', result: 'failed', found: 'signature of another body: accepted with 204 No Content.' },
        { id: 'same-refusal', result: 'skipped', level: 'recommended' },
      ],
    });
    expect(JSON.stringify(json)).not.toContain(SECRET);
  });

  it('shows the beginning of a huge body, and its length', async () => {
    const { url } = await receiver();
    const json = certificateJson(await certified(url, { checks: checks.filter(({ id }) => id === 'huge-body') }));
    const { checks: shown } = json as { checks: { exchanges: { request: { body: string; bytes: number } }[] }[] };
    const request = shown[0]?.exchanges[0]?.request;
    expect(request?.body).toHaveLength(2_048);
    expect(request?.bytes).toBeGreaterThan(2 * 1024 * 1024);
  });
});

it('the JUnit report has a case for each judged check, and fails required checks alone', async () => {
  const refuse: Conduct['refuse'] = ({ signature, response }) =>
    response.writeHead(signature === undefined ? 400 : 500).end();
  const xml = certificateJunit(await careless({ refuse }));
  expect(xml).toContain('tests="4" failures="1" skipped="1"');
  expect(xml).toMatch(
    /<testcase classname="certify\.forgeries" name="[^"]*\(other-body\)" time="[\d.]+"><failure message="expected: A 4xx\. found: signature of another body: failed with 500/,
  );
  expect(xml).toMatch(/\(same-refusal, recommendation not met: 2 different responses[^"]*" time="[\d.]+"\/>/);
  expect(xml).toMatch(/\(late-event\)" time="[\d.]+"\/>/);
  expect(xml).toMatch(/\(deduplicates\)" time="[\d.]+"><skipped message="not observable/);
});
