import { readFileSync } from 'node:fs';
import { asText, sumUp } from './report.js';

const file = new URL('../data/sales.json', import.meta.url);
const rows = sumUp(JSON.parse(readFileSync(file, 'utf8')));
console.log(asText(rows));
