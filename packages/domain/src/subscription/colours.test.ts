import { describe, expect, it } from 'vitest';
import { contrastOf, paletteOf, parseColour, TEXT_CONTRAST } from './colours.ts';

/** Examples. The web package checks the surfaces of its pages. */
const LIGHT = ['#ffffff', '#f0f0f0', '#e0e8f8'];
const DARK = ['#000000', '#181818', '#182838'];

/** 4,913 colours: each channel in steps of a sixteenth. */
const STEPS = Array.from({ length: 17 }, (_, n) =>
  Math.min(n * 16, 255)
    .toString(16)
    .padStart(2, '0'),
);
const COLOURS = STEPS.flatMap((red) => STEPS.flatMap((green) => STEPS.map((blue) => `#${red}${green}${blue}`)));

it('contrastOf follows WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
  expect(contrastOf('#ffffff', '#ffffff')).toBe(1);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  expect(contrastOf('#ff0000', '#ffffff')).toBeCloseTo(4, 2);
});

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('the palette of a %s theme', (_, surfaces) => {
  it('keeps the contrast of texts, whatever the colour', () => {
    for (const colour of COLOURS) {
      const { text, textHover, button, buttonHover, buttonText, behindWhite } = paletteOf(colour, surfaces);
      const contrasts = [
        ...surfaces.flatMap((surface) => [contrastOf(text, surface), contrastOf(textHover, surface)]),
        contrastOf(buttonText, button),
        contrastOf(buttonText, buttonHover),
        contrastOf(behindWhite, '#ffffff'),
      ];
      expect(Math.min(...contrasts), colour).toBeGreaterThanOrEqual(TEXT_CONTRAST);
      expect(button).toBe(colour);
      expect(buttonHover).not.toBe(button);
    }
  });
});

it('a colour that can be read stays as it is', () => {
  expect(paletteOf('#1d4f91', LIGHT)).toMatchObject({
    text: '#1d4f91',
    buttonText: '#ffffff',
    behindWhite: '#1d4f91',
  });
  expect(paletteOf('#8ab4f0', DARK)).toMatchObject({ text: '#8ab4f0', buttonText: '#000000' });
});

it('a colour that cannot be read is darkened in the light and lightened in the dark theme', () => {
  expect(contrastOf(paletteOf('#ffd400', LIGHT).text, '#000000')).toBeLessThan(contrastOf('#ffd400', '#000000'));
  expect(contrastOf(paletteOf('#1d4f91', DARK).text, '#000000')).toBeGreaterThan(contrastOf('#1d4f91', '#000000'));
});

it('parseColour accepts what people paste', () => {
  expect(['#ABCDEF', 'abcdef', '#abc', 'f00'].map(parseColour)).toEqual([
    '#abcdef',
    '#abcdef',
    '#aabbcc',
    '#ff0000',
  ]);
  expect(['', '#', '#abcd', '#12345g', 'blue', ' #abc'].map(parseColour)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});
