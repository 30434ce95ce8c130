import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONGEST } from '../longest-first.ts';
import { ON_SEVERAL_DATABASES, SLOWER_TESTS, slowerFiles } from '../slower-tests.mjs';
import { root } from './planted-tree.ts';

const listed = slowerFiles();

describe('the list of tests that `npm test` leaves out', () => {
  it('the list of slower tests names each file once, and each exists', () => {
    expect(listed.length).toBeGreaterThan(100);
    expect(listed.filter((file, index) => listed.indexOf(file) !== index)).toEqual([]);
    expect(listed.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('each of the slower tests says in its first line what takes its time', () => {
    expect(listed.filter((file) => !/^\/\/ \S.{20}/.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it.each(SLOWER_TESTS.map(({ reason, files }) => [reason, files] as const))(
    'stand-ins exist and run in `npm test`: %s',
    (reason, files) => {
      expect(reason.length).toBeGreaterThan(20);
      const standIns = files.map(([, standIn]) => standIn).filter((standIn) => typeof standIn === 'string');
      expect(standIns.filter((file) => !/\.test\.tsx?$/.test(file) || /\.long\.test\./.test(file))).toEqual([]);
      expect(standIns.filter((file) => !existsSync(join(root, file)))).toEqual([]);
      expect(standIns.filter((file) => listed.includes(file))).toEqual([]);
    },
  );
});

it('a slower test without a stand-in says why there can be none', () => {
  const reasons = SLOWER_TESTS.flatMap(({ files }) =>
    files.flatMap(([, standIn]) => (typeof standIn === 'string' ? [] : standIn.none)),
  );
  expect(reasons.filter((reason) => !/^[A-Z].{30,}\.$/.test(reason))).toEqual([]);
  // Each is a test whose subject `npm test` does not check.
  expect(reasons.length).toBeLessThanOrEqual(1);
});

it('the list of the longest tests of `npm test` names each file once, none that it leaves out, and each exists', () => {
  const others = LONGEST.filter((file, index) => LONGEST.indexOf(file) !== index || listed.includes(file));
  expect(others).toEqual([]);
  expect(LONGEST.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it('the list of tests with the same cases on several databases names those that ask what is in this run', () => {
  const files = globSync(['packages/*/src/**/*.test.ts', 'tests/use-cases/*.test.ts'], { cwd: root });
  const asking = files.filter((file) =>
    /\b(onEveryDatabase|onEachStorage|isInRun)\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect([...ON_SEVERAL_DATABASES]).toEqual(asking.sort());
});
