import { expect, test } from 'vitest';
import { TempRepo } from '../support/temp-repo.ts';

const PLAN = `
# Plan: express parcels

## Steps

1. Say in the type what express means
   - id: type
   - kind: docs
   - scope: \`packages/core/src/parcel.ts\`
   - verify: \`grep -q 'once and a half' packages/core/src/parcel.ts\`

   \`\`\`diff apply
   --- a/packages/core/src/parcel.ts
   +++ b/packages/core/src/parcel.ts
   @@ -1,4 +1,5 @@
    export interface Parcel {
      readonly grams: number;
   +  /** Costs once and a half as much. */
      readonly express?: boolean;
    }
   \`\`\`

2. Price and test of an express parcel
   - id: price
   - scope: \`packages/core\`
   - criteria: AC1
   - verify: \`node --test packages/core/test/\`

   \`\`\`js file=packages/core/src/price.js
   const CENTS_PER_KILO = 300;
   const EXPRESS_FACTOR = 1.5;

   /** Every begun kilo counts. */
   export function priceOf({ grams, express = false }) {
     return Math.ceil(grams / 1000) * CENTS_PER_KILO * (express ? EXPRESS_FACTOR : 1);
   }
   \`\`\`

   \`\`\`sh run
   cat >> packages/core/test/price.test.mjs <<'END'

   test('express costs once and a half as much', () => {
     assert.equal(priceOf({ grams: 1000, express: true }), 450);
   });
   END
   \`\`\`

3. Let the command take --express
   - id: flag
   - scope: \`packages/cli\`
   - criteria: AC2

## Verification

- \`npm test\`
- AC2: \`test "$(node packages/cli/src/main.js 1000 --express)" = '4.50 EUR'\`
`;

const MAIN_BY_HAND = `import { priceOf } from '../../core/src/price.js';

const [grams = '0', flag] = process.argv.slice(2);
const cents = priceOf({ grams: Number(grams), express: flag === '--express' });
console.log(\`\${(cents / 100).toFixed(2)} EUR\`);
`;

const TIMEOUT_MS = 90_000;

test('a TypeScript workspace: from interview to commit', { timeout: TIMEOUT_MS }, async () => {
  await using repo = await TempRepo.create('test/fixtures/ts-workspace');
  const begin = await repo.git('rev-parse', 'HEAD');

  const interview = await repo.cc(
    ...['deep-interview', 'let parcels go express', '--session', 'express'],
    ...['--scope', 'packages/core', '--scope', 'packages/cli'],
    ...['--criterion', 'an express parcel costs once and a half as much'],
    ...['--criterion', 'the command takes --express'],
  );
  expect(interview).toMatchObject({ exit: 0 });
  const folder = '.chainlesschain/sessions/express';

  expect(await repo.cc('ralplan')).toMatchObject({ exit: 0 });
  const draft = await repo.read(`${folder}/plan.md`);
  expect(draft).toContain('`npm test`');
  const head = draft.slice(0, draft.indexOf('\n---\n', 3) + '\n---\n'.length);
  await repo.write(`${folder}/plan.md`, `${head}${PLAN}`);
  expect(await repo.cc('ralplan', '--json')).toMatchObject({ exit: 0 });

  const early = await repo.cc('ralph');
  expect(early).toMatchObject({ exit: 7 });
  expect(early.stderr).toContain('PLAN_APPROVAL_REQUIRED');

  const approval = await repo.cc('ralplan', '--approve', '--session', 'express');
  expect(approval).toMatchObject({ exit: 0 });
  expect(approval.stderr).toContain('writes    packages/core/src/price.js (now sha256:');

  const toTheLetter = await repo.cc('ralph', '--json');
  expect(toTheLetter).toMatchObject({ exit: 8 });
  expect(JSON.parse(toTheLetter.stdout)).toMatchObject({
    ending: 'blocked-on-human',
    completed: ['Say in the type what express means', 'Price and test of an express parcel'],
    openTasks: 1,
  });

  await repo.write('packages/cli/src/main.js', MAIN_BY_HAND);
  expect(await repo.cc('ralph')).toMatchObject({ exit: 0 });

  const verify = await repo.cc('verify', '--json');
  expect(verify).toMatchObject({ exit: 0 });
  const { status, criteria } = JSON.parse(verify.stdout);
  expect(status).toBe('passed');
  expect(criteria).toMatchObject([
    { id: 'AC1', proof: 'checks' },
    { id: 'AC2', proof: 'checks', checks: ['AC2'] },
  ]);

  expect(await repo.cc('complete', '--commit')).toMatchObject({ exit: 0 });
  expect(await repo.git('rev-parse', 'HEAD^')).toBe(begin);
  expect(await repo.git('log', '-1', '--format=%s')).toBe('let parcels go express');
  const committed = (await repo.git('diff-tree', '-r', '--name-only', 'HEAD^', 'HEAD')).split('\n');
  expect(committed).toEqual(
    expect.arrayContaining([
      `${folder}/plan.md`,
      `${folder}/verify.json`,
      'packages/cli/src/main.js',
      'packages/core/src/parcel.ts',
      'packages/core/src/price.js',
      'packages/core/test/price.test.mjs',
    ]),
  );
  expect(await repo.read(`${folder}/summary.md`)).toContain(
    'AC2 the command takes --express: `test "$(node packages/cli/src/main.js',
  );
});
