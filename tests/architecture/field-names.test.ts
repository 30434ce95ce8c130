import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentFlow, placedFields, SUBJECT_TYPES } from '@countersign/domain';
import { expect, test } from 'vitest';
import { root } from './planted-tree.ts';

/** Names of two words and more: single ones, such as `type` and `city`, have other uses. */
const NAMES = new Set(
  SUBJECT_TYPES.flatMap((type) => Object.values(currentFlow(type).steps))
    .flatMap((step) => placedFields(step.fields))
    .map(({ key }) => key)
    .filter((key) => /[A-Z]/.test(key)),
);

/** Names that also mean something else: `fileId` is in paths and forms of uploads. */
const OTHER_USES = ['fileId'];

const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g;

test.each(['web', 'http'])('packages/%s/src names no field of a step: the domain describes them', (name) => {
  const source = join(root, 'packages', name, 'src');
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((file) => !/\.test\.tsx?$/.test(file));
  expect([NAMES.has('nationalIdNumber'), files.length > 5]).toEqual([true, true]);
  const found = files.flatMap((file) => {
    const code = readFileSync(join(source, file), 'utf8').replace(COMMENT, '');
    const words = new Set(code.match(/\w+/g));
    return [...NAMES]
      .filter((field) => words.has(field) && !OTHER_USES.includes(field))
      .map((field) => `${file}: ${field}`);
  });
  expect(found).toEqual([]);
});
