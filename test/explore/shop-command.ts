/** The same day as a command, as `explore -- CMD` and `scenario run -- CMD` start it. Its argument names the shop. */
import { connectSandbox } from '../../src/client/client.js';
import { shopOf, shopStory } from './shop-story.js';

const { SANDBOX_URL: url = '', SANDBOX_KEY: key = '' } = process.env;
const sandbox = await connectSandbox({ url, key });
await sandbox.clock.freeze();
const start = await shopOf(process.argv[2] === 'careless' ? 'careless' : 'right');
process.stdout.write(`${JSON.stringify(await shopStory(start, sandbox))}\n`);
process.exit(0);
