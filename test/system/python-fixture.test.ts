import { expect, test } from 'vitest';
import { TempRepo } from '../support/temp-repo.ts';

const TESTS = 'python3 -m unittest discover -s tests -t .';

const PLAN = `
# Plan: taking things from the shelf

## Steps

1. Take pieces from a shelf
   - id: take
   - scope: \`stock\`
   - criteria: AC1
   - verify: \`python3 -c "from stock.shelf import Shelf; Shelf().take"\`

   \`\`\`sh run
   cat >> stock/shelf.py <<'END'

       def take(self, name, pieces):
           if pieces > self.count(name):
               raise ValueError(f"only {self.count(name)} of {name} left")
           self._pieces[name] -= pieces
   END
   \`\`\`

2. Test it
   - id: test
   - scope: \`tests\`
   - criteria: AC1, AC2

## Verification

- \`${TESTS}\`
`;

const TESTS_BY_HAND = `import unittest

from stock.shelf import Shelf


class TakeTest(unittest.TestCase):
    def test_taken_pieces_are_gone(self):
        shelf = Shelf()
        shelf.put("cup", 3)
        shelf.take("cup", 2)
        self.assertEqual(shelf.count("cup"), 1)

    def test_nobody_takes_more_than_there_is(self):
        with self.assertRaises(ValueError):
            Shelf().take("cup", 1)
`;

test('a Python project: detected checks, a script to the letter, a step by hand, complete', async () => {
  await using repo = await TempRepo.create('test/fixtures/python-unittest');
  expect(await repo.run('python3', ['--version'])).toMatchObject({ exit: 0 });

  const interview = await repo.cc(
    ...['deep-interview', 'take things from the shelf', '--session', 'take'],
    ...['--scope', 'stock', '--scope', 'tests'],
    ...['--criterion', 'taken pieces are gone'],
    ...['--criterion', 'nobody takes more than there is'],
  );
  expect(interview).toMatchObject({ exit: 0 });

  expect(await repo.cc('ralplan')).toMatchObject({ exit: 0 });
  const path = '.chainlesschain/sessions/take/plan.md';
  const draft = await repo.read(path);
  expect(draft).toMatch(/python3? -m unittest/);
  const head = draft.slice(0, draft.indexOf('\n---\n', 3) + '\n---\n'.length);
  await repo.write(path, `${head}${PLAN}`);
  expect(await repo.cc('ralplan')).toMatchObject({ exit: 0 });
  expect(await repo.cc('ralplan', '--approve', '--session', 'take')).toMatchObject({ exit: 0 });

  const toTheLetter = await repo.cc('ralph', '--json');
  expect(toTheLetter).toMatchObject({ exit: 8 });
  expect(JSON.parse(toTheLetter.stdout)).toMatchObject({ completed: ['Take pieces from a shelf'] });

  await repo.write('tests/test_take.py', TESTS_BY_HAND);
  expect(await repo.cc('ralph')).toMatchObject({ exit: 0 });
  const verify = await repo.cc('verify', '--json');
  expect(verify).toMatchObject({ exit: 0 });
  expect(JSON.parse(verify.stdout)).toMatchObject({ status: 'passed', produced: [] });
  expect(await repo.cc('complete')).toMatchObject({ exit: 0 });

  const tests = await repo.run('python3', ['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.']);
  expect(tests.stderr).toContain('Ran 4 tests');
  expect(tests).toMatchObject({ exit: 0 });
});
