/** Prints the JSON Schema of scenario files beside the shipped scenarios, where editors find it. */
import { writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { scenarioJsonSchema } from '../src/scenario/reader/scenario-schema.js';

const target = 'scenarios/scenario.schema.json';
const style = await resolveConfig(target);
await writeFile(target, await format(JSON.stringify(scenarioJsonSchema()), { ...style, filepath: target }));
