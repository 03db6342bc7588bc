import { readFileSync } from 'node:fs';
import { loadScenario } from './src/scenarios/load.js';
import { formatProblems } from './src/scenarios/problems.js';
const text=readFileSync('/tmp/bad.yaml','utf8');
const r=loadScenario(text,{file:'bad.yaml'});
console.log('problems' in r ? formatProblems(r.problems,()=>text) : JSON.stringify(r,null,1));
