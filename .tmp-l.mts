import { readFileSync, readdirSync } from 'node:fs';
import { loadScenario } from './src/scenarios/load.js';
import { formatProblems } from './src/scenarios/problems.js';
for (const f of readdirSync('scenarios').filter(f=>f.endsWith('.yaml'))) {
const text=readFileSync('scenarios/'+f,'utf8');
const r=loadScenario(text,{file:f});
console.log(f, 'problems' in r ? formatProblems(r.problems,()=>text) : 'ok '+formatProblems(r.warnings,()=>text));
}
