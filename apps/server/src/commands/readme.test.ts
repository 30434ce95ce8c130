import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../given/command.ts';

const README = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');

/** Every command that the README shows: its words, and the names of its options. */
const SHOWN = [...README.matchAll(/npm run -s countersign -- ([^#`\n]+)/g)].map(([, line = '']) => ({
  words: /^[a-z]+(?: [a-z][a-z-]+)*/.exec(line)?.[0].split(' ') ?? [],
  options: line.match(/--[a-z-]+/g) ?? [],
}));

describe('the commands that the README shows', () => {
  it('are there', () => {
    expect(SHOWN.length).toBeGreaterThan(10);
  });

  it.each(SHOWN)('$words $options', async ({ words, options }) => {
    const { exitCode, out: help } = await runCommand([...words, '--help'], {});
    expect(exitCode).toBe(0);
    expect(help).toContain(`countersign ${words.join(' ')}`);
    expect(options.filter((option) => !help.includes(`${option} `))).toEqual([]);
  });
});
