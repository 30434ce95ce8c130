import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import config from '../../vitest.config.ts';
import { FULL_LENGTH_TESTS, LONG_TESTS } from '../full-length.mjs';
import { LONGEST } from '../longest-first.ts';
import { ON_SEVERAL_DATABASES, SLOWER_TESTS, slowerFiles } from '../slower-tests.mjs';
import { root } from './planted-tree.ts';

const listed = slowerFiles();
const tests = globSync('{packages,apps,tests}/**/*.test.{ts,tsx}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**'],
});
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

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
  const asking = tests.filter((file) => /\b(onEveryDatabase|onEachStorage|isInRun)\(/.test(textOf(file)));
  expect([...ON_SEVERAL_DATABASES]).toEqual(asking.sort());
  // Such a file would run its quick cases nowhere.
  expect(ON_SEVERAL_DATABASES.filter((file) => listed.includes(file))).toEqual([]);
});

it('each test with a full length runs in `npm run test:long`', () => {
  const asking = tests.filter((file) => /\bextent\(/.test(textOf(file)) || file.includes('.long.test.'));
  expect(asking.length).toBeGreaterThan(30);
  expect(asking.filter((file) => !FULL_LENGTH_TESTS.some((filter) => file.includes(filter)))).toEqual([]);
  expect(FULL_LENGTH_TESTS.filter((filter) => !tests.some((file) => file.includes(filter)))).toEqual([]);
});

it('each test belongs to exactly one project of vitest', () => {
  const projects = (config.test?.projects ?? []).flatMap((project) =>
    typeof project === 'object' && 'test' in project && project.test !== undefined ? [project.test] : [],
  );
  expect(projects.length).toBe(3);
  const found = projects.flatMap(({ include = [], exclude = [] }) =>
    globSync(include, { cwd: root, exclude: exclude.filter((pattern) => pattern !== LONG_TESTS) }),
  );
  const leftOut = process.env.SLOWER_TESTS === 'off' ? listed : [];
  const counted = tests.filter((file) => !leftOut.includes(file) && !file.startsWith('apps/embed-example/'));
  expect(found.sort()).toEqual(counted.sort());
});
