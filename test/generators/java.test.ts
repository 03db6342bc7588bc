/** openapi-generator for Java, with OkHttp and Gson. */
import { cp } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { it } from 'vitest';
import { describeWith, document, expectFlow, fixtures, inFolder, run, tool } from './support.js';

const generator = tool('openapi-generator-cli.jar');
const libraries = tool('java-libraries');

describeWith('openapi-generator java okhttp-gson', [generator, libraries], () => {
  it('makes a client that compiles and plays the flow', { timeout: 300_000 }, async () => {
    await inFolder(async (folder) => {
      const options = ['-g', 'java', '--library', 'okhttp-gson'];
      const args = ['generate', '-i', document, '-o', join(folder, 'client'), ...options];
      await run('java', ['-jar', generator, ...args, '--global-property=apiTests=false,modelTests=false'], folder);
      const sources = join(folder, 'client', 'src', 'main', 'java');
      await cp(join(fixtures, 'java', 'Flow.java'), join(sources, 'Flow.java'));
      const classes = join(folder, 'classes');
      const classPath = join(libraries, '*');
      await run('javac', ['-nowarn', '-d', classes, '-cp', classPath, '-sourcepath', sources, 'Flow.java'], sources);
      await expectFlow((env) => run('java', ['-cp', `${classes}${delimiter}${classPath}`, 'Flow'], folder, env));
    });
  });
});
