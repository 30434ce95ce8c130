import { describe, expect, it } from 'vitest';

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
interface Measures {
  readonly brightness: number;
  readonly sharpness: number;
  readonly glare: boolean;
  readonly fill: number;
  readonly contrast: number;
  readonly motion: number;
}

// Modules of pages are checked with the types of a browser, by a configuration of their own.
const assets = new URL('../../../assets/', import.meta.url);
const { flawOf, maskOf, measure } = (await import(new URL('capture-quality.js', assets).href)) as {
  flawOf(measures: Measures): 'dark' | 'blur' | 'glare' | null;
  maskOf(shape: 'card' | 'passport' | 'face', width: number, height: number): Area;
  measure(picture: Picture, area: Area, before?: unknown): Measures & { readonly grey: unknown };
};
const { createGuide, hintOf } = (await import(new URL('capture-guide.js', assets).href)) as {
  hintOf(measures: Measures): string;
  createGuide(): (hint: string, at: number) => { shown: string | null; said: string | null; release: boolean };
};

const WIDTH = 320;
const HEIGHT = 240;
const MASK = maskOf('card', WIDTH, HEIGHT);
const WHOLE = { x: 0, y: 0, width: WIDTH, height: HEIGHT };

type Drawn = (x: number, y: number) => number;

/** A picture of the grey values that `grey` gives. */
function picture(grey: Drawn): Picture {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(255);
  for (let at = 0; at < WIDTH * HEIGHT; at += 1) {
    const value = grey(at % WIDTH, Math.floor(at / WIDTH));
    for (const colour of [0, 1, 2]) data[at * 4 + colour] = value;
  }
  return { width: WIDTH, height: HEIGHT, data };
}

/** Lines of dark words on light paper. */
const print: Drawn = (x, y) => (y % 18 < 9 && (x * 7 + (y % 18) * 3) % 11 < 4 ? 40 : 215);

/** A picture as a lens out of focus sees it. */
const blurred =
  (around: Drawn): Drawn =>
  (x, y) => {
    let sum = 0;
    for (let dy = -6; dy <= 6; dy += 1)
      for (let dx = -6; dx <= 6; dx += 1) sum += around(x + dx + 20, y + dy + 18);
    return sum / 169;
  };

/** Print on a bare table that takes this share of the mask's sides. */
const onTable =
  (share: number, table = 90): Drawn =>
  (x, y) => {
    const isInside =
      Math.abs(x - WIDTH / 2) < (MASK.width * share) / 2 && Math.abs(y - HEIGHT / 2) < (MASK.height * share) / 2;
    return isInside ? print(x, y) : table;
  };

const spot =
  (around: Drawn): Drawn =>
  (x, y) =>
    Math.hypot(x - WIDTH / 2, y - HEIGHT / 2) < 45 ? 255 : around(x, y);
const darker =
  (around: Drawn): Drawn =>
  (x, y) =>
    around(x, y) / 6;

const flawIn = (grey: Drawn) => flawOf(measure(picture(grey), WHOLE));
const seen = (grey: Drawn, before: Drawn = grey) => {
  return hintOf(measure(picture(grey), MASK, measure(picture(before), MASK).grey));
};

describe('the flaw of a picture before it is sent:', () => {
  it.each<[string, string | null, Drawn]>([
    ['sharp print has none', null, print],
    ['blur', 'blur', blurred(print)],
    ['a spot of glare', 'glare', spot(print)],
    ['white paper is no glare', null, (x, y) => (print(x, y) > 100 ? 255 : 40)],
    ['a dark picture', 'dark', darker(print)],
    ['a black picture', 'dark', () => 0],
    ['a grey wall is blurred', 'blur', () => 128],
  ])('%s', (_what, flaw, grey) => {
    expect(flawIn(grey)).toBe(flaw);
  });

  it('finds a picture of no pixel, or of one, dark', () => {
    for (const side of [0, 1]) {
      const data = new Uint8ClampedArray(side * 4);
      expect(flawOf(measure({ width: side, height: side, data }, { x: 0, y: 0, width: side, height: side }))).toBe(
        'dark',
      );
    }
  });
});

describe('the hint for a live picture:', () => {
  it.each<[string, string, Drawn, Drawn?]>([
    ['a document that fills the mask', 'good', onTable(0.95)],
    ['a document that is nearer than the mask', 'good', print],
    ['a black camera', 'dark', () => 0],
    ['a document in a dark room', 'dark', darker(onTable(0.95))],
    ['a bare table', 'closer', () => 128],
    ['a document that is far', 'closer', onTable(0.5)],
    ['a document that is out of focus', 'still', blurred(onTable(0.8))],
    [
      'a document that moved since the picture before',
      'still',
      onTable(0.95),
      (x, y) => onTable(0.95)(x + 4, y + 5),
    ],
    ['a lamp in the document', 'glare', spot(onTable(0.95))],
  ])('%s: %s', (_what, hint, grey, before) => {
    expect(seen(grey, before)).toBe(hint);
  });
});

describe('the mask', () => {
  it.each([
    ['card', 85.6 / 54],
    ['passport', 125 / 88],
    ['face', 3 / 4],
  ] as const)('lays a %s into the middle of a picture of any shape', (shape, ratio) => {
    for (const [width, height] of [
      [1920, 1080],
      [1080, 1920],
      [8000, 10],
      [1, 1],
    ] as const) {
      const mask = maskOf(shape, width, height);
      expect(mask.width / mask.height).toBeCloseTo(ratio);
      expect(mask.x * 2 + mask.width).toBeCloseTo(width);
      expect(mask.y * 2 + mask.height).toBeCloseTo(height);
      expect(Math.min(mask.x, mask.y)).toBeGreaterThan(0);
    }
  });
});

describe('the guide', () => {
  /** Returns what the guide answers to hints, one every 100 ms. */
  const follow = (hints: readonly string[]) => {
    const guide = createGuide();
    return hints.map((hint, index) => guide(hint, index * 100));
  };
  const times = (count: number, hint: string): string[] => Array.from({ length: count }, () => hint);

  it('takes the picture after a second of good ones', () => {
    expect(follow(times(11, 'good')).map(({ release }) => release)).toEqual([
      ...times(10, '').map(() => false),
      true,
    ]);
  });

  it('starts over after one that is not good', () => {
    const answers = follow([...times(9, 'good'), 'still', ...times(10, 'good')]);
    expect(answers.some(({ release }) => release)).toBe(false);
  });

  it('shows a hint that lasts, and none that flickers', () => {
    const shown = follow(['dark', 'closer', 'dark', 'closer', 'dark', ...times(6, 'closer')]).map(
      (answer) => answer.shown,
    );
    expect(shown).toEqual([...times(10, 'dark'), 'closer']);
  });

  it('lets a screen reader say at most one hint in three seconds', () => {
    const said = follow([...times(10, 'dark'), ...times(10, 'closer'), ...times(20, 'glare')]).map(
      (answer) => answer.said,
    );
    expect(new Set(said)).toEqual(new Set(['dark', 'glare']));
    expect(said.lastIndexOf('dark')).toBe(29);
  });
});
