import { describe, expect, test } from 'vitest';
import { parseMrz } from '../mrz/parse.ts';
import { CONSENSUS, consensusOf } from './consensus.ts';
import { isSound, type Reading } from './read-bundle.ts';

const TODAY = '2026-06-01';
const FIRST = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<';
const SECOND = 'L898902C36UTO7408122F1204159ZE184226B<<<<<10';

/** A look that read these lines, all characters 0.9 sure except those given. */
function lookAt(
  look: number,
  lines: readonly string[],
  unsure: { readonly place?: number; readonly sure?: number } = {},
): Reading {
  return {
    lines: lines.map((text, line) => ({
      text,
      sure: [...text].map((_, place) => (line === 1 && place === unsure.place ? (unsure.sure ?? 0) : 0.9)),
      likeness: -0.1 * (look + 1),
      ends: 0.5,
      frames: [],
      score: 0,
    })),
    parsed: parseMrz(lines, TODAY),
    score: 0,
    look,
    isWhole: true,
    pitch: 20,
    contrast: 150,
    corners: [],
  };
}

/** The second line with another character at a place. */
function misread(place: number, character: string): string {
  return SECOND.slice(0, place) + character + SECOND.slice(place + 1);
}

describe('consensusOf', () => {
  test.each([0, 1, 2])('consensusOf: none of %i looks', (count) => {
    const looks = Array.from({ length: count }, (_, look) => lookAt(look, [FIRST, SECOND]));
    expect(consensusOf(looks, TODAY)).toBeUndefined();
  });

  test('corrects characters that different looks misread at different places', () => {
    const looks = [2, 15, 21].map((place, look) => lookAt(look, [FIRST, misread(place, '7')]));
    expect(looks.some(isSound)).toBe(false);
    const together = consensusOf(looks, TODAY);
    expect(together?.lines.map(({ text }) => text)).toEqual([FIRST, SECOND]);
    expect(together && isSound(together)).toBe(true);
  });

  test('follows one sure look against two unsure ones', () => {
    const wrong = [FIRST, misread(2, '7')];
    const looks = [
      lookAt(0, wrong, { place: 2, sure: 0.3 }),
      lookAt(1, [FIRST, SECOND]),
      lookAt(2, wrong, { place: 2, sure: 0.3 }),
    ];
    expect(consensusOf(looks, TODAY)?.lines[1]?.text).toBe(SECOND);
  });

  test('consensusOf: is as sure of a character as all looks together', () => {
    const looks = [lookAt(0, [FIRST, SECOND]), lookAt(1, [FIRST, misread(2, '7')]), lookAt(2, [FIRST, SECOND])];
    const line = consensusOf(looks, TODAY)?.lines[1];
    expect(line?.sure[2]).toBeCloseTo(0.6);
    expect(line?.sure[3]).toBeCloseTo(0.9);
    expect(line?.likeness).toBeCloseTo(-0.2);
  });

  test('leaves out looks that read another layout', () => {
    const looks = [
      lookAt(0, [FIRST, SECOND]),
      lookAt(1, [FIRST.slice(0, 36), SECOND.slice(0, 36)]),
      lookAt(2, [FIRST, SECOND]),
    ];
    expect(consensusOf(looks, TODAY)?.lines[1]?.sure[40]).toBeCloseTo(0.9);
  });

  test('consensusOf: is not counted as another look', () => {
    const looks = [0, 1, 2].map((look) => lookAt(look, [FIRST, SECOND]));
    expect(consensusOf(looks, TODAY)?.look).toBe(CONSENSUS);
  });
});
