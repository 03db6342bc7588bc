/** CI services keep and show JUnit, so it has no credentials. */
import { redactedText } from '../domain/request.js';

export interface TestCase {
  readonly name: string;
  readonly group: string;
  readonly failure: string | null;
  /** One address on each line. */
  readonly details?: readonly string[];
  readonly skipped?: string;
  /** Real time; 0 for results that are only read from records. */
  readonly seconds?: number;
}

export interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
  /** Real time; by default, the sum of the cases. */
  readonly seconds?: number;
  /** Shown as the output of the suite. */
  readonly note?: string;
}

export function junitXml(suites: readonly TestSuite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(
      suites.flatMap(({ cases }) => cases),
      suites.reduce((sum, suite) => sum + secondsOf(suite), 0),
    )}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines({ name: suite, cases, seconds, note }: TestSuite): string[] {
  return [
    `  <testsuite name="${escaped(suite)}" ${counts(cases, seconds)}>`,
    ...cases.map(caseLine),
    ...(note === undefined ? [] : [`    <system-out>${escaped(note)}</system-out>`]),
    '  </testsuite>',
  ];
}

function caseLine({ name, group, failure, details = [], skipped, seconds = 0 }: TestCase): string {
  const head = `    <testcase classname="${escaped(group)}" name="${escaped(name)}" time="${seconds.toFixed(3)}"`;
  if (failure !== null) {
    const more = details.length === 0 ? '/>' : `>${escaped(details.join('\n'))}</failure>`;
    return `${head}><failure message="${escaped(failure)}"${more}</testcase>`;
  }
  return skipped === undefined ? `${head}/>` : `${head}><skipped message="${escaped(skipped)}"/></testcase>`;
}

const secondsOf = ({ cases, seconds }: Pick<TestSuite, 'cases' | 'seconds'>): number =>
  seconds ?? cases.reduce((sum, one) => sum + (one.seconds ?? 0), 0);

function counts(cases: readonly TestCase[], seconds = secondsOf({ cases })): string {
  const failures = cases.filter(({ failure }) => failure !== null).length;
  const skipped = cases.filter((one) => one.failure === null && one.skipped !== undefined).length;
  return `tests="${cases.length}" failures="${failures}" skipped="${skipped}" time="${seconds.toFixed(3)}"`;
}

/** XML 1.0 allows no control characters but tab and line breaks, so others are left out. */
function escaped(text: string): string {
  return redactedText(text)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\n/g, '&#10;');
}
