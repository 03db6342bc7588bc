/** JUnit XML, the form in which CI services show results. */
export interface TestCase {
  readonly name: string;
  readonly group: string;
  /** What went wrong; null when it passed. */
  readonly failure: string | null;
}

export function junitXml(suite: string, cases: readonly TestCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== null).length;
  const lines = cases.map(({ name, group, failure }) => {
    const head = `    <testcase classname="${escaped(group)}" name="${escaped(name)}"`;
    return failure === null ? `${head}/>` : `${head}><failure message="${escaped(failure)}"/></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${cases.length}" failures="${failures}">`,
    `  <testsuite name="${escaped(suite)}" tests="${cases.length}" failures="${failures}">`,
    ...lines,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
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
