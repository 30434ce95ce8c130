import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needlessArguments, unknownCommand, usage } from '../../scripts/usage.mjs';

const root = join(import.meta.dirname, '../..');
const manifest: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const scripts = Object.keys(manifest.scripts);

test('usage: explains every script of package.json, and no other', () => {
  const explained = [...usage.matchAll(/^.{7}npm (?:run )?(?:-s )?([a-z:-]+)/gm)].map(([, name]) => name);
  expect(new Set(explained)).toEqual(new Set(scripts));
});

test.each([
  ['bogus', "unknown command 'bogus'. Known commands: start, test. Help: npm run help"],
  ['', 'a command is missing. Known commands: start, test. Help: npm run help'],
])('unknownCommand: lists the known commands and names the help in one line: %j', (name, line) => {
  expect(unknownCommand(name, ['start', 'test'])).toBe(line);
});

test.each([
  ['check', ['--fix'], "npm run check takes no arguments, but got '--fix'. Help: npm run help"],
  [
    'test:rest',
    ['packages/web', '--bail'],
    "npm run test:rest takes no arguments, but got 'packages/web' '--bail'. To run the tests that match a filter: npm test -- FILTER. Help: npm run help",
  ],
])('needlessArguments: names the arguments, and says what to do, in one line: %s', (name, args, line) => {
  expect(needlessArguments(name, args)).toBe(line);
});
