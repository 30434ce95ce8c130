import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../test-support/command.ts';

const PAGES = ['operations.md', 'webhooks.md'].map((page) =>
  readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8'),
);

/** The words and option names of each command on these pages. */
const SHOWN = PAGES.flatMap((page) => [
  ...page.matchAll(/(?:^|`)(?:npm run -s )?countersign (?:-- )?([a-z][^#`\n]+)/gm),
]).map(([, line = '']) => ({
  words: /^[a-z][a-z-]*(?: [a-z][a-z-]+)*/.exec(line)?.[0].split(' ') ?? [],
  options: line.match(/--[a-z-]+/g) ?? [],
}));

describe('commands shown in docs/operations.md and docs/webhooks.md', () => {
  it('commands shown in docs/operations.md and docs/webhooks.md are found on the pages', () => {
    expect(SHOWN.length).toBeGreaterThan(10);
  });

  it.each(SHOWN)('exist with their options: $words $options', async ({ words, options }) => {
    const { exitCode, out: help } = await runCommand([...words, '--help'], {});
    expect(exitCode).toBe(0);
    expect(help).toContain(`countersign ${words.join(' ')}`);
    expect(options.filter((option) => !help.includes(`${option} `))).toEqual([]);
  });
});
