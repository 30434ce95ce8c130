import { describe, expect, it } from 'vitest';

type Point = readonly [number, number];
interface Line {
  readonly from: Point;
  readonly to: Point;
}
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}
type Shape = 'card' | 'passport';
type Finder = (picture: { readonly data: Uint8Array }, side: number) => readonly (readonly Line[])[];

// Modules of pages are checked with the types of a browser, by a configuration of their own.
const assets = new URL('../../../assets/', import.meta.url);
const { followLines, lineHintOf } = (await import(new URL('capture-lines.js', assets).href)) as {
  lineHintOf(lines: readonly Line[], mask: Area, picture: Pick<Picture, 'width' | 'height'>): string;
  followLines(finder: Finder): (picture: Picture, shape: Shape, mask: Area) => string | null;
};
const { maskOf } = (await import(new URL('capture-quality.js', assets).href)) as {
  maskOf(shape: Shape, width: number, height: number): Area;
};
const { createGuide, hintOf } = (await import(new URL('capture-guide.js', assets).href)) as {
  hintOf(measures: object, lineHint?: string | null): string;
  createGuide(): (hint: string, at: number, plain?: string) => { shown: string | null; release: boolean };
};

const FRAME = { width: 640, height: 480 };

interface Pose {
  readonly turn?: number;
  readonly size?: number;
  readonly right?: number;
  readonly down?: number;
}

/** Sizes in mm of a document, of its lines, and how far its last line is from its lower edge. */
const SIZES = {
  passport: { width: 125, height: 88, length: 112, lines: 2, below: 10 },
  card: { width: 85.6, height: 54, length: 76, lines: 3, below: 6 },
} as const;

/** The lines of a document that is held into the mask: turned by degrees, larger, and aside by shares of the picture. */
function linesOf(shape: Shape, { turn = 0, size = 1, right = 0, down = 0 }: Pose, frame = FRAME): Line[] {
  const { width, height, length, lines, below } = SIZES[shape];
  const scale = (maskOf(shape, frame.width, frame.height).width / width) * size;
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const place = (x: number, y: number): Point => [
    frame.width * (0.5 + right) + scale * (x * cos - y * sin),
    frame.height * (0.5 + down) + scale * (x * sin + y * cos),
  ];
  return Array.from({ length: lines }, (_, line) => {
    const y = height / 2 - below - 6.35 * (lines - 1 - line);
    return { from: place(-length / 2, y), to: place(length / 2, y) };
  });
}

const lineHintIn = (shape: Shape, pose: Pose, frame = FRAME) =>
  lineHintOf(linesOf(shape, pose, frame), maskOf(shape, frame.width, frame.height), frame);

describe.each(['passport', 'card'] as const)('the lines of a %s say:', (shape) => {
  it.each<[string, string, Pose]>([
    ['found', 'that fills the mask', {}],
    ['found', 'upside down', { turn: 180 }],
    ['found', 'a little smaller than the mask', { size: 0.85 }],
    ['found', 'held by hand', { turn: 6 }],
    ['tilted', 'turned by 12 degrees', { turn: 12, size: 0.9 }],
    ['tilted', 'turned the other way', { turn: -12, size: 0.9 }],
    ['tilted', 'turned by 12 degrees and upside down', { turn: 192, size: 0.9 }],
    ['closer', 'half as wide as the mask', { size: 0.5 }],
    ['closer', 'far and turned', { size: 0.5, turn: 30 }],
    ['cut', 'beyond the left edge', { right: -0.12 }],
    ['cut', 'beyond the right edge', { right: 0.12 }],
    ['cut', 'beyond the lower edge', { down: 0.25 }],
    ['cut', 'beyond the upper edge', { down: -0.2 }],
    ['cut', 'nearer than the picture is wide', { size: 1.3 }],
    ['cut', 'upside down and beyond the lower edge', { turn: 180, down: 0.2 }],
  ])('%s, of one %s', (lineHint, _what, pose) => {
    expect(lineHintIn(shape, pose)).toBe(lineHint);
  });

  it('a picture that is higher than wide: says the same', () => {
    const frame = { width: 480, height: 640 };
    const poses = [{}, { turn: 12, size: 0.9 }, { size: 0.5 }, { right: 0.15 }];
    expect(poses.map((pose) => lineHintIn(shape, pose, frame))).toEqual(['found', 'tilted', 'closer', 'cut']);
  });

  it('tilted, of one that is turned by 90 degrees and near enough', () => {
    expect(lineHintIn(shape, { turn: 90, size: 0.75 })).toBe('tilted');
  });
});

describe('followLines', () => {
  const BLACK = { ...FRAME, data: new Uint8ClampedArray(FRAME.width * FRAME.height * 4) };
  const MASK = maskOf('passport', FRAME.width, FRAME.height);

  /** Returns the hints while the finder sees these poses, one after the other; undefined is a picture without lines. */
  function followed(poses: readonly (Pose | undefined)[]) {
    const sides: number[] = [];
    let next = 0;
    const follow = followLines((_picture, side) => {
      sides.push(side);
      const pose = poses[next++];
      return pose === undefined ? [] : [linesOf('passport', pose)];
    });
    return { hints: poses.map(() => follow(BLACK, 'passport', MASK)), sides };
  }

  it('says what two pictures in a row say', () => {
    expect(followed([{}, {}, { size: 0.5 }, { size: 0.5 }]).hints).toEqual([null, 'found', 'found', 'closer']);
  });

  it('repeats its answer after one picture that says something else, or nothing', () => {
    expect(followed([{}, {}, undefined, {}, { size: 0.5 }, {}]).hints.slice(1)).toEqual(Array(5).fill('found'));
  });

  it('says nothing once two pictures show no lines', () => {
    expect(followed([{}, {}, undefined, undefined]).hints.at(-1)).toBeNull();
  });

  it('searches another size after a picture without lines, and stays with a size that shows them', () => {
    const [first, second, third, fourth] = followed([undefined, {}, {}, undefined]).sides;
    expect(first).not.toBe(second);
    expect([third, fourth]).toEqual([second, second]);
  });

  it('passes on the grey values of the picture', () => {
    let seen: Uint8Array = new Uint8Array();
    const follow = followLines(({ data }) => {
      seen = data;
      return [];
    });
    const data = Uint8ClampedArray.of(255, 255, 255, 255, 0, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255);
    follow({ width: 2, height: 2, data }, 'passport', MASK);
    expect([...seen]).toEqual([255, 0, 76, 149]);
  });
});

describe('the hint for a picture of a document that may have lines:', () => {
  const GOOD = { brightness: 150, sharpness: 500, glare: false, fill: 1, contrast: 50, motion: 0 };

  it.each<[string, string, object, string | null | undefined]>([
    ['good', 'where no lines are looked for', GOOD, undefined],
    ['sought', 'without lines', GOOD, null],
    ['found', 'with lines', GOOD, 'found'],
    ['closer', 'with lines, and bare elsewhere', { ...GOOD, fill: 0.3 }, 'found'],
    ['tilted', 'with lines that are tilted', GOOD, 'tilted'],
    ['cut', 'with lines that are cut, out of focus', { ...GOOD, sharpness: 1 }, 'cut'],
    ['dark', 'with lines, in the dark', { ...GOOD, brightness: 10 }, 'tilted'],
    ['still', 'with lines that move', { ...GOOD, motion: 30 }, 'cut'],
    ['still', 'with lines, out of focus', { ...GOOD, sharpness: 1 }, 'found'],
    ['glare', 'with lines, and a lamp in them', { ...GOOD, glare: true }, 'found'],
  ])('%s, %s', (hint, _what, measures, lineHint) => {
    expect(hintOf(measures, lineHint)).toBe(hint);
  });
});

describe('the guide, for a document that may have lines,', () => {
  /** Returns after how many ms the guide takes the picture. */
  function releasedAt(hint: string, plain?: string): number | undefined {
    const guide = createGuide();
    return Array.from({ length: 100 }, (_, index) => index * 100).find((at) => guide(hint, at, plain).release);
  }

  it.each<[number | undefined, string, string, string | undefined]>([
    [1000, 'of lines that are found', 'found', 'good'],
    [1000, 'where no lines are looked for', 'good', undefined],
    [4000, 'without lines', 'sought', 'good'],
    [4000, 'of lines that stay tilted', 'tilted', 'good'],
    [undefined, 'of what is not good without lines either', 'tilted', 'closer'],
  ])('takes the picture after %s ms, %s', (at, _what, hint, plain) => {
    expect(releasedAt(hint, plain)).toBe(at);
  });
});
