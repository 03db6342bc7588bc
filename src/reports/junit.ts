/** JUnit XML, the form in which CI services show results. */
export interface TestCase {
  readonly name: string;
  readonly group: string;
  /** What went wrong; null when it passed. */
  readonly failure: string | null;
}

export interface TestSuite {
  readonly name: string;
  readonly cases: readonly TestCase[];
  /** What to know about the result, as the output of the suite. */
  readonly note?: string;
}

export function junitXml(suite: string, cases: readonly TestCase[], note?: string): string {
  return junitSuites([{ name: suite, cases, ...(note !== undefined && { note }) }]);
}

export function junitSuites(suites: readonly TestSuite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines({ name: suite, cases, note }: TestSuite): string[] {
  const lines = cases.map(({ name, group, failure }) => {
    const head = `    <testcase classname="${escaped(group)}" name="${escaped(name)}"`;
    return failure === null ? `${head}/>` : `${head}><failure message="${escaped(failure)}"/></testcase>`;
  });
  return [
    `  <testsuite name="${escaped(suite)}" ${counts(cases)}>`,
    ...lines,
    ...(note === undefined ? [] : [`    <system-out>${escaped(note)}</system-out>`]),
    '  </testsuite>',
  ];
}

function counts(cases: readonly TestCase[]): string {
  return `tests="${cases.length}" failures="${cases.filter(({ failure }) => failure !== null).length}"`;
}

/** XML 1.0 knows no control characters but tab and line breaks; they are left out. */
function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\n/g, '&#10;');
}
