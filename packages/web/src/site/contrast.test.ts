import { readFileSync } from 'node:fs';
import { contrastOf, paletteOf } from '@countersign/domain/clients';
import { describe, expect, it } from 'vitest';
import { surfacesOf } from './appearance-routes.ts';
import { tokensOf } from './tokens.ts';

const TOKENS = tokensOf(readFileSync(new URL('../../assets/tokens.css', import.meta.url), 'utf8'));

/** Contrast of text by WCAG 2.2, success criterion 1.4.3 (AA). */
const TEXT_CONTRAST = 4.5;
/** Contrast of a control's edge, and of what marks the focus, by WCAG 2.2, success criterion 1.4.11 (AA). */
const EDGE_CONTRAST = 3;

/** Names of the tokens of colours, by what they colour. Each may stand on each background. */
const BACKGROUNDS = /^(?:page|card|sunken|\w+-soft)$/;
const TEXTS = /^(?:text(?:-\d)?|accent(?:-hover)?|good|warn|bad|info|idle)$/;
const EDGES = /^(?:line-strong|focus|button(?:-hover)?)$/;
/** Texts that stand on one background only. */
const PAIRS = [
  ['on-button', 'button'],
  ['on-button', 'button-hover'],
  ['on-stage', 'stage'],
] as const;
/** Lines between things and around what its words name, and what lies behind a logo or a tick. */
const OTHERS = /^(?:line|\w+-line|behind-logo|behind-white)$/;

/** 125 colours: each channel in steps of a quarter. */
const QUARTERS = ['00', '40', '80', 'c0', 'ff'];
const CLIENT_COLOURS = QUARTERS.flatMap((red) =>
  QUARTERS.flatMap((green) => QUARTERS.map((blue) => `#${red}${green}${blue}`)),
);

const STATES = ['good', 'warn', 'bad', 'info'];

it('the icon has the colour of the accent', () => {
  const icon = readFileSync(new URL('../../assets/icon.svg', import.meta.url), 'utf8');
  expect(icon.match(/#\w{6}/g)).toEqual([TOKENS.light.get('behind-white')]);
});

describe.each(Object.entries(TOKENS))('the %s theme', (_, theme) => {
  const colours = [...theme].filter(([, value]) => value.startsWith('#'));
  const named = (names: RegExp) => colours.filter(([name]) => names.test(name));
  const pairsOf = (names: RegExp) =>
    named(names).flatMap(([name, colour]) =>
      named(BACKGROUNDS).map(([behind, background]) => ({
        pair: `${name} on ${behind}`,
        contrast: contrastOf(colour, background),
      })),
    );

  it('each text can be read on each background', () => {
    const pairs = pairsOf(TEXTS);
    expect(pairs.map(({ pair }) => pair)).toEqual(
      expect.arrayContaining(STATES.flatMap((state) => [`${state} on ${state}-soft`, `text on ${state}-soft`])),
    );
    expect(pairs.filter(({ contrast }) => contrast < TEXT_CONTRAST)).toEqual([]);
  });

  it('the edges of controls and the focus can be seen on each background', () => {
    expect(pairsOf(EDGES).filter(({ contrast }) => contrast < EDGE_CONTRAST)).toEqual([]);
  });

  it.each(PAIRS)('%s can be read on %s', (text, behind) => {
    expect(contrastOf(theme.get(text) ?? '', theme.get(behind) ?? '')).toBeGreaterThanOrEqual(TEXT_CONTRAST);
  });

  it('texts in the colour of a client can be read on each surface, whatever the colour', () => {
    const surfaces = surfacesOf(theme);
    for (const colour of CLIENT_COLOURS) {
      const { text, textHover } = paletteOf(colour, surfaces);
      const contrasts = surfaces.flatMap((surface) => [contrastOf(text, surface), contrastOf(textHover, surface)]);
      expect(Math.min(...contrasts), colour).toBeGreaterThanOrEqual(TEXT_CONTRAST);
    }
  });

  it('a white tick can be read on its background', () => {
    expect(contrastOf('#ffffff', theme.get('behind-white') ?? '')).toBeGreaterThanOrEqual(TEXT_CONTRAST);
  });

  it('the tests above know every colour', () => {
    const known = [BACKGROUNDS, TEXTS, EDGES, OTHERS];
    const inPairs: readonly string[] = PAIRS.flat();
    const isKnown = (name: string) => inPairs.includes(name) || known.some((names) => names.test(name));
    expect(colours.map(([name]) => name).filter((name) => !isKnown(name))).toEqual([]);
  });
});
