import { describe, expect, test } from 'vitest';
import { contrastOf } from './contrast.ts';

const [WIDTH, HEIGHT, PITCH] = [200, 40, 10];
const course = { x: 0, y: 20, along: [1, 0], bend: [0, 0, 0], from: 0, to: WIDTH } as const;

/** Paper of tone 200 with a stroke of this tone in each cell, half of the line under a shadow or none. */
function drawn(ink: number, shade = 1) {
  const data = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
    const x = at % WIDTH;
    const tone = x % PITCH > 2 && x % PITCH < 6 ? ink : 200;
    return x < WIDTH * 0.4 ? tone * shade : tone;
  });
  return { width: WIDTH, height: HEIGHT, data };
}

const places = { first: PITCH / 2, pitch: PITCH };
const lines = [{ course, places }];

describe('contrastOf', () => {
  test.each([40, 120, 180])('returns how far ink of tone %i stands out from paper', (ink) => {
    expect(contrastOf(drawn(ink), lines, 20)).toBe(200 - ink);
  });

  test('returns that of most characters, where some lie in a shadow', () => {
    expect(contrastOf(drawn(40, 0.2), lines, 20)).toBe(160);
  });

  test('returns none where the line lies beyond the picture', () => {
    expect(contrastOf(drawn(40), [{ places, course: { ...course, x: 10 * WIDTH } }], 20)).toBe(0);
  });
});
