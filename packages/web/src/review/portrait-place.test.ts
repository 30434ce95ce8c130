import type { MrzBox } from '@countersign/domain';
import { describe, expect, it, test } from 'vitest';
import { portraitPlaceOf } from './portrait-place.ts';

/** A passport in millimetres (ICAO Doc 9303-4): its size, its zone, and the portrait. */
const PASSPORT = { width: 125, height: 88 };
const ZONE = { left: 6, top: 71.4, length: 44 * 2.54, thickness: 6.35 + 2.54 };
const PORTRAIT = { left: 6, top: 20, width: 35, height: 45 };

interface Shot {
  readonly turn: number;
  readonly zone?: typeof ZONE;
  /** Millimetres around the document. */
  readonly around?: number;
}

/** Photographs the passport: returns the box that a reader finds, and where a point of the document is in the picture. */
function photograph({ turn, zone = ZONE, around = 20 }: Shot) {
  const angle = 2 * Math.PI * turn;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [w, h] = [PASSPORT.width + around, PASSPORT.height + around];
  const size = {
    width: w * Math.abs(cos) + h * Math.abs(sin),
    height: w * Math.abs(sin) + h * Math.abs(cos),
  };
  /** In heights of the picture. */
  const point = (x: number, y: number) => {
    const [u, v] = [x - PASSPORT.width / 2, y - PASSPORT.height / 2];
    const [px, py] = [size.width / 2 + u * cos - v * sin, size.height / 2 + u * sin + v * cos];
    return [px / size.height, py / size.height] as const;
  };
  const { left, top, length, thickness } = zone;
  const corners = [
    point(left, top),
    point(left + length, top),
    point(left, top + thickness),
    point(left + length, top + thickness),
  ];
  const aspect = size.width / size.height;
  const xs = corners.map(([x]) => x / aspect);
  const ys = corners.map(([, y]) => y);
  const box: MrzBox = {
    x: Math.min(...xs),
    y: Math.min(...ys),
    width: Math.max(...xs) - Math.min(...xs),
    height: Math.max(...ys) - Math.min(...ys),
    rotation: (turn + 1) % 1,
    aspect,
  };
  return { box, point, millimetre: 1 / size.height };
}

/** A zone of two lines at the top, with the portrait below it on the right. */
const UPSIDE_DOWN: MrzBox = { x: 0.1, y: 0.1, width: 0.8, height: 0.09, rotation: 0.5, aspect: 1.4 };

describe('portraitPlaceOf', () => {
  it.each([0, 0.02, -0.03, 0.08, 0.25, 0.5, 0.75, 0.77])('finds the whole portrait at %f of a turn', (turn) => {
    const { box, point, millimetre } = photograph({ turn });
    const place = portraitPlaceOf(box);
    if (place === null) throw new Error('The portrait was not found');
    const angle = 2 * Math.PI * turn;
    const { left, top, width, height } = PORTRAIT;
    for (const [x, y] of [
      [left, top],
      [left + width, top],
      [left, top + height],
      [left + width, top + height],
    ] as const) {
      const [px, py] = point(x, y);
      const [dx, dy] = [px - place.x, py - place.y];
      // Turned back about the middle of the place.
      expect(Math.abs(dx * Math.cos(angle) + dy * Math.sin(angle))).toBeLessThanOrEqual(place.width / 2);
      expect(Math.abs(-dx * Math.sin(angle) + dy * Math.cos(angle))).toBeLessThanOrEqual(place.height / 2);
    }
    // In lengths of the zone's lines, from its start and its top, with the margin.
    const { length } = ZONE;
    const [x, y] = point(ZONE.left + 0.185 * length, ZONE.top - 0.27 * length);
    expect([place.x, place.y]).toEqual([expect.closeTo(x, 9), expect.closeTo(y, 9)]);
    expect(place.width / millimetre).toBeCloseTo(0.47 * length, 9);
    expect(place.height / millimetre).toBeCloseTo(0.52 * length, 9);
    expect(place.rotation).toBe(box.rotation);
    expect(place.pictureWidth).toBe(box.aspect);
  });

  it.each<[string, MrzBox]>([
    ['upside down', UPSIDE_DOWN],
    ['as short as they can be', { ...UPSIDE_DOWN, width: 0.15, height: 0.02, x: 0.4, aspect: 1 }],
    ['as high as two lines can be', { x: 0.06, y: 0.8, width: 0.875, height: 0.125, rotation: 0, aspect: 1 }],
  ])('the portrait is found beside lines that are %s', (_what, box) => {
    expect(portraitPlaceOf(box)).not.toBeNull();
  });

  const { box } = photograph({ turn: 0 });
  const threeLines = { left: 4.5, top: 60, length: 30 * 2.54, thickness: 2 * 6.35 + 2.54 };
  it.each<[string, MrzBox]>([
    ['a picture of unknown shape', { ...box, aspect: undefined }],
    ['a zone of three lines', photograph({ turn: 0, zone: threeLines }).box],
    ['a zone of three lines, turned', photograph({ turn: 0.25, zone: threeLines }).box],
    ['a zone across the picture', photograph({ turn: 0.125 }).box],
    ['a zone at a tenth of a turn, whose length its box does not tell', photograph({ turn: 0.1 }).box],
    ['a zone at the left edge', { ...box, x: 0 }],
    ['an upside-down zone at the left edge', { ...UPSIDE_DOWN, x: 0 }],
    ['an upside-down zone at the upper edge', { ...UPSIDE_DOWN, y: 0 }],
    ['an upside-down zone with a portrait right of the picture', { ...UPSIDE_DOWN, x: 0.195 }],
    ['a portrait left of the picture', { ...box, x: 0.01 }],
    ['a zone without height', { ...box, height: 0 }],
    ['a zone at the right edge', { ...box, width: 1 - box.x }],
    ['a zone at the upper edge', { ...box, y: 0 }],
    ['a zone at the lower edge', { ...box, y: 1 - box.height }],
    ['a portrait above the picture', { ...box, y: 0.3 }],
    ['an upside-down zone with nothing below it', { ...box, rotation: 0.5 }],
    ['a box without extent', { ...box, width: 0, height: 0 }],
    ['a tiny box', { ...box, width: box.width / 10, height: box.height / 10, y: 0.5, x: 0.5 }],
    ['a box that contradicts its turn', { ...box, rotation: 0.25 }],
    ['a box that is thinner than its turn allows', { ...box, rotation: 0.08 }],
  ])('finds none for %s', (_what, bad) => {
    expect(portraitPlaceOf(bad)).toBeNull();
  });
});

test('portraitPlaceOf: hundreds of random boxes give a finite place inside the picture or none', () => {
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let n = 0; n < 500; n += 1) {
    const given = { x: random(), y: random(), width: random(), height: random() / 10, rotation: random() };
    const place = portraitPlaceOf({ ...given, aspect: 0.3 + 2 * random() });
    if (place === null) continue;
    expect(Object.values(place).every(Number.isFinite)).toBe(true);
    expect(place.x).toBeGreaterThan(0);
    expect(place.x).toBeLessThan(place.pictureWidth);
    expect(place.y).toBeGreaterThan(0);
    expect(place.y).toBeLessThan(1);
  }
});
