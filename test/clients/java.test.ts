/**
 * Compiles and runs the JUnit 5 extension of examples/java, against a sandbox in this process instead of a container.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mavenTest, skipLoudly } from '../support/languages.js';
import { startTestSandbox } from '../support/sandbox.js';

const failing = `package example;

import static org.junit.jupiter.api.Assertions.fail;

import example.MessagingSandbox.Account;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(MessagingSandbox.class)
class FailingTest {
    @Test
    void fails(Account account) {
        account.call("GET", "/v1/templates", null);
        fail("on purpose");
    }
}
`;

it('passes its tests, and a test that fails prints its journal', { timeout: 240_000 }, async ({ skip }) => {
  const [sandbox, project] = await Promise.all([startTestSandbox(), mkdtemp(join(tmpdir(), 'java-example-'))]);
  try {
    await cp('examples/java', project, { recursive: true });
    await writeFile(join(project, 'src/test/java/example/FailingTest.java'), failing);
    const ran = await mavenTest(project, { MESSAGING_BASE_URL: sandbox.url });
    if (ran === null) {
      skipLoudly(skip, 'examples/java, because a JDK, Maven or a package of the project is missing');
      return;
    }
    expect(ran.stdout).toContain('Tests run: 4, Failures: 1, Errors: 0, Skipped: 0');
    expect(ran.stdout + ran.stderr).toMatch(/sandbox account FailingTest-fails-[0-9a-f-]{36}\nGET \/v1\/templates 200/);
  } finally {
    await sandbox.close();
    await rm(project, { recursive: true, force: true });
  }
});
