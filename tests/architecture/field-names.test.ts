import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_IN_FLOWS, type FieldList, stepOf, stepsOf } from '@countersign/domain/flows';
import { expect, test } from 'vitest';
import { root } from './planted-tree.ts';

/** Lists the keys of fields, including those in groups and rows. */
function keysOf(fields: FieldList): string[] {
  return Object.entries(fields).flatMap(([key, field]) => [
    key,
    ...('fields' in field ? keysOf(field.fields) : []),
  ]);
}

/** Field names with another meaning in these packages, such as a kind of field or a property of a user. */
const OTHER_USES =
  'accepted activity country document email fileId locale number phone region role type version website'.split(
    ' ',
  );

const NAMES = new Set(
  Object.values(BUILT_IN_FLOWS)
    .flat()
    .flatMap((flow) => stepsOf(flow).map((step) => stepOf(flow, step)?.fields ?? {}))
    .flatMap(keysOf)
    .filter((key) => !OTHER_USES.includes(key)),
);

/** Matches strings first, so that `'/verify/*'` does not start a comment. */
const STRING_OR_COMMENT = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/.*/g;

function fieldNamesIn(code: string): string[] {
  const words = new Set(code.replace(STRING_OR_COMMENT, '$1').match(/\w+/g));
  return [...NAMES].filter((name) => words.has(name));
}

test('fieldNamesIn finds field names in strings, paths, properties and markup, but not in comments', () => {
  expect(fieldNamesIn("app.use('/verify/*', f); answers.lastName; /* ends here */")).toEqual(['lastName']);
  expect(fieldNamesIn("const url = 'https://a.example'; g('placeOfBirth.city');")).toEqual([
    'placeOfBirth',
    'city',
  ]);
  expect(fieldNamesIn('<input name="nationalIdNumber" />')).toEqual(['nationalIdNumber']);
  expect(fieldNamesIn('const name = `directors.0`;')).toEqual(['directors']);
  expect(fieldNamesIn("/** `placeOfBirth.city` */ const page = 'https'; // lastName")).toEqual([]);
});

test.each(['web', 'http'])('packages/%s/src names no field of a step; only the domain does', (name) => {
  const source = join(root, 'packages', name, 'src');
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((file) => !/\.test\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(5);
  const found = files.flatMap((file) =>
    fieldNamesIn(readFileSync(join(source, file), 'utf8')).map((field) => `${file}: ${field}`),
  );
  expect(found).toEqual([]);
});
