/** Prints the JSON Schema of scenario files beside the shipped scenarios, where editors find it. */
import { writeFile } from 'node:fs/promises';
import { scenarioJsonSchema } from '../src/scenarios/schema.js';

await writeFile('scenarios/scenario.schema.json', `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`);
