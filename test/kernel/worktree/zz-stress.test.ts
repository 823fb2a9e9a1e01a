import { test } from 'vitest';
import { symlink } from 'node:fs/promises';
import { TempTree } from './temp-tree.ts';
test('stress', async () => {
  let bad = 0;
  for (let round = 0; round < 40; round++) {
    await using tree = await TempTree.create({ 'src/a.ts': 'a', 'b/c': 'b', '.gitignore': 'dist/\n' });
    await symlink('src/a.ts', tree.path('link'));
    const results = await Promise.allSettled(Array.from({ length: 3 }, () => tree.hash()));
    const set = new Set(results.map((r) => (r.status === 'fulfilled' ? r.value : String((r.reason as Error).stack) + JSON.stringify(r.reason))));
    if (set.size !== 1) { bad++; console.log(round, [...set].join('\n')); }
  }
  console.log('bad', bad);
}, 600_000);
