import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/reader/load.js';
import { formatProblems } from '../../src/language/problems.js';

function format(text: string): string {
  const result = loadScenario(text, { file: 'flaky.yaml' });
  return formatProblems('problems' in result ? result.problems : [], () => text);
}

describe('a problem on a terminal', () => {
  it('shows place, code frame, what was found, what is allowed, what was meant and a corrected line', () => {
    expect(format('version: 1\ndefaults: { window: opn }\nseed: 1\n')).toBe(
      [
        'flaky.yaml:2:21: Unknown value "opn".',
        '    1 | version: 1',
        '  > 2 | defaults: { window: opn }',
        '      |                     ^',
        '    3 | seed: 1',
        '  path:     defaults.window',
        '  found:    the text "opn"',
        '  allowed:  open, closed',
        '  meant:    open',
        '  write:    defaults: { window: open }',
      ].join('\n'),
    );
  });

  it('says what a tab may not do', () => {
    expect(format('version: 1\n\trules: []\n')).toContain('allowed:  spaces');
  });

  it('says by how much to indent a line, because the corrected line is shown without its indentation', () => {
    const indented = format('version: 1\nrules:\n  - when: message.send\n     then: { lifecycle: blocked }\n');
    expect(indented).toContain('allowed:  the same indentation for all keys of an entry: 4 spaces here\n');
  });

  it('lets no control character of the file reach the terminal', () => {
    expect(format('version: 1\nname: "\\e[31m\u001b[2J"\n# \u001b[2J\n')).not.toContain('\u001b');
  });

  it('shows of a wide line what lies around the column', () => {
    const rules = `[${'{ when: message.get, then: { respond: { status: 503 } } }, '.repeat(20)}{ when: mesage.get, then: {} }]`;
    const [, , frame = '', caret = ''] = format(`version: 1\nrules: ${rules}\n`).split('\n');
    expect(frame.slice(caret.indexOf('^'))).toMatch(/^mesage\.get/);
    expect(frame.length).toBeLessThan(180);
  });

  it('cuts lines that are too wide', () => {
    const widest = format(`version: 1\nname: ${'x'.repeat(5000)}\n`)
      .split('\n')
      .map((line) => line.length);
    expect(Math.max(...widest)).toBeLessThan(300);
  });
});
