import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COLOURS, FONT, type Look, RADIUS, SPACE, TYPE } from './theme.ts';

/** The tokens of the pages: the rule of the light look, and what the dark look replaces. */
const [light = '', dark = ''] = readFileSync(new URL('../../web/assets/tokens.css', import.meta.url), 'utf8')
  .split('@media screen and (prefers-color-scheme: dark)')
  .map((part) => part.split('@media')[0] ?? '');
const RULES: Readonly<Record<Look, string>> = { light, dark };

/** Returns the value of a token. */
const token = (name: string, look: Look = 'light') =>
  new RegExp(`--${name}: ([^;]+);`).exec(RULES[look])?.[1] ?? `no --${name}`;

const PX_IN_REM = 16;
const pixels = (rem: string) => Number.parseFloat(rem) * PX_IN_REM;

// Adapters do not import each other, so `theme.ts` repeats the values.
describe('mails have the values of the tokens of the pages', () => {
  it.each(['light', 'dark'] as const)('mails have the colours of the %s look', (look) => {
    const { text2, onButton, ...others } = COLOURS[look];
    expect([text2, onButton]).toEqual([token('text-2', look), token('on-button', look)]);
    for (const [name, colour] of Object.entries(others)) expect(colour, name).toBe(token(name, look));
  });

  it('mails have the fonts and the sizes of texts, spaces and corners', () => {
    expect(FONT).toBe(token('font').replaceAll(', ', ',').replaceAll('"', "'"));
    for (const [size, lineHeight] of Object.values(TYPE))
      expect(token(`type-${size}`).split('/').map(pixels)).toEqual([size, lineHeight]);
    for (const [name, space] of Object.entries(SPACE))
      expect(space).toBe(pixels(token(name.replace('s', 'space-'))));
    expect(RADIUS).toEqual({ control: pixels(token('radius')), card: pixels(token('radius-large')) });
  });
});
