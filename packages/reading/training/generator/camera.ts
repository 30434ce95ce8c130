import { addNoise, bilinear, Canvas } from './canvas.ts';
import { addWords, type DrawnDocument, type Types } from './document.ts';
import { inverse, type Point, type Projection, project, projectionTo } from './projection.ts';
import type { Random } from './random.ts';
import type { Raster } from './raster.ts';

export const CLASSES = [
  'clean',
  'tilt',
  'blur',
  'glare',
  'noise',
  'jpeg',
  'perspective',
  'shadow',
  'clutter',
  'mixed',
] as const;

/** Widths of a character along the longest side of a picture, about: more cannot be read. */
const MOST_PLACES = 115;

export type PictureClass = (typeof CLASSES)[number];

export interface Photograph {
  readonly raster: Raster;
  /** The middle of each line at its first, middle and last place. */
  readonly courses: readonly (readonly Point[])[];
  readonly quality: number;
  readonly turned: number;
}

/** What lies under and around the document. */
function drawScene(
  random: Random,
  types: Types,
  width: number,
  height: number,
  unit: number,
  isCluttered: boolean,
): Canvas {
  const scene = new Canvas(width, height, random.between(20, 235));
  const kind = random.integer(0, 7);
  if (kind === 1 || kind === 6) addNoise(scene, random, unit * random.between(0.3, 4), random.between(5, 30));
  if (kind === 2) {
    const [angle, wave, strength] = [
      random.between(0, Math.PI),
      unit * random.between(0.5, 8),
      random.between(5, 40),
    ];
    const [alongX, alongY] = [(Math.cos(angle) * 2 * Math.PI) / wave, (Math.sin(angle) * 2 * Math.PI) / wave];
    scene.all((tone, x, y) => tone + strength * Math.sin(x * alongX + y * alongY + Math.sin(y / (unit * 3))));
  }
  if (kind === 3) {
    for (let x = 0; x < width; x += unit * random.between(4, 14)) {
      const shade = random.between(0.7, 1.1);
      scene.each(x, 0, width, height, (tone) => tone * shade);
    }
    addNoise(scene, random, unit * 0.4, random.between(2, 15));
  }
  if (kind === 4 || kind === 5) {
    // Weave, planks and keys: marks in rows and columns.
    const [stepX, stepY] = [unit * random.between(0.3, 9), unit * random.between(0.3, 5)];
    const [thick, depth] = [random.between(0.05, 0.5), random.between(-1, 1) * random.pick([40, 120])];
    const isOffset = random.chance(0.5);
    const angle = random.chance(0.5) ? random.between(0, Math.PI / 2) : 0;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const past = width * sin; // so that no place is below 0
    scene.all((tone, x, y) => {
      const [u, v] = [(x * cos + y * sin) / stepX, (y * cos - x * sin + past) / stepY];
      const along = u + (isOffset ? (Math.floor(v) % 2) / 2 : 0);
      return along % 1 < thick || v % 1 < thick ? tone + depth : tone;
    });
  }
  if (kind === 6) addNoise(scene, random, unit * random.between(8, 30), random.between(10, 40));
  if (kind === 7) {
    const page: [number, number, number, number] = [0, 0, width, height];
    addWords(scene, random, types.words, page, unit * random.between(0.6, 2), random.between(0.2, 0.9));
  }
  if (!isCluttered) return scene;
  for (let count = random.integer(2, 7); count > 0; count -= 1) {
    const [x, y] = [random.between(-0.2, 0.9) * width, random.between(-0.2, 0.9) * height];
    const [wide, high] = [random.between(0.1, 0.7) * width, random.between(0.1, 0.6) * height];
    const tone = random.between(10, 250);
    scene.each(x, y, x + wide, y + high, () => tone);
    const inside: [number, number, number, number] = [
      Math.max(0, x),
      Math.max(0, y),
      Math.min(width, x + wide),
      Math.min(height, y + high),
    ];
    if (random.chance(0.6))
      addWords(scene, random, types.words, inside, unit * random.between(0.8, 2.5), random.between(0.5, 1));
  }
  return scene;
}

/** Fingers that hold the document at its upper edges, off its zone. */
function addFingers(view: Canvas, random: Random, unit: number, corners: readonly Point[]): void {
  for (let count = random.integer(1, 3); count > 0; count -= 1) {
    const [left, right, down] = [corners[0], corners[1], corners[3]];
    const [across, below] = random.chance(0.4)
      ? [random.between(0, 1), 0]
      : [random.integer(0, 1), random.between(0, 0.3)];
    const cx = left[0] + (right[0] - left[0]) * across + (down[0] - left[0]) * below;
    const cy = left[1] + (right[1] - left[1]) * across + (down[1] - left[1]) * below;
    const [rx, ry, angle] = [
      unit * random.between(1.5, 3),
      unit * random.between(3, 6),
      random.between(0, Math.PI),
    ];
    const tone = random.between(50, 210);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    view.each(cx - ry, cy - ry, cx + ry, cy + ry, (old, x, y) => {
      const [u, v] = [((x - cx) * cos + (y - cy) * sin) / rx, ((y - cy) * cos - (x - cx) * sin) / ry];
      const square = u * u + v * v;
      return square > 1 ? old : tone * (1 - 0.35 * square);
    });
  }
}

/** Light bands of films and holograms over a part of the picture. */
function addFilm(view: Canvas, random: Random, unit: number): void {
  const [cx, cy] = [random.between(0, 1) * view.width, random.between(0, 1) * view.height];
  const [reach, wave, angle] = [
    unit * random.between(5, 30),
    unit * random.between(0.8, 12),
    random.between(0, Math.PI),
  ];
  const [alongX, alongY] = [(Math.cos(angle) * 2 * Math.PI) / wave, (Math.sin(angle) * 2 * Math.PI) / wave];
  const light = random.between(10, 60);
  view.each(cx - 2 * reach, cy - 2 * reach, cx + 2 * reach, cy + 2 * reach, (tone, x, y) => {
    const near = Math.exp(-(((x - cx) / reach) ** 2) - ((y - cy) / reach) ** 2);
    return tone + light * near * (0.5 + 0.5 * Math.sin(x * alongX + y * alongY));
  });
}

/** The shadow of the document itself on what it lies on. */
function addCastShadow(view: Canvas, random: Random, unit: number, document: Canvas, back: Projection): void {
  const [offX, offY] = [unit * random.between(-0.8, 0.8), unit * random.between(-0.2, 1.2)];
  const [soft, dark] = [document.width * random.between(0.005, 0.04), random.between(0.2, 0.8)];
  view.all((tone, x, y) => {
    const [u, v] = project(back, [x - offX, y - offY]);
    const inside = Math.min(u, v, document.width - u, document.height - v) / soft + 0.5;
    return tone * (1 - dark * Math.min(1, Math.max(0, inside)));
  });
}

function addShadows(view: Canvas, random: Random, unit: number, near: Point): void {
  for (let count = random.integer(1, 2); count > 0; count -= 1) {
    const angle = random.between(0, 2 * Math.PI);
    const [alongX, alongY] = [Math.cos(angle), Math.sin(angle)];
    const [px, py] = [near[0] + random.normal() * unit * 12, near[1] + random.normal() * unit * 3];
    const soft = unit * random.between(0.03, 0.8);
    const dark = random.between(0.3, 0.8);
    // A half plane, or a band as a hand or a frame throws it.
    const wide = random.chance(0.4) ? unit * random.between(2, 20) : Number.POSITIVE_INFINITY;
    view.all((tone, x, y) => {
      const into = (x - px) * alongX + (y - py) * alongY;
      const share = Math.min(into, wide - into) / soft + 0.5;
      return tone * (1 - dark * Math.min(1, Math.max(0, share)));
    });
  }
}

function addGlare(view: Canvas, random: Random, unit: number, near: Point): void {
  for (let count = random.integer(1, 3); count > 0; count -= 1) {
    const [cx, cy] = [near[0] + random.normal() * unit * 14, near[1] + random.normal() * unit * 8];
    const [rx, ry] = [unit * random.between(1.5, 9), unit * random.between(1, 5)];
    const light = random.between(40, 240);
    view.each(cx - 3 * rx, cy - 3 * ry, cx + 3 * rx, cy + 3 * ry, (tone, x, y) => {
      return tone + light * Math.exp(-(((x - cx) / rx) ** 2) - ((y - cy) / ry) ** 2);
    });
  }
}

function convolve(view: Canvas, kernel: Float32Array, stepX: number, stepY: number): void {
  const source = view.data.slice();
  const reach = (kernel.length - 1) / 2;
  const { width, height } = view;
  view.all((_, x, y) => {
    let sum = 0;
    for (let k = -reach; k <= reach; k += 1) {
      const px = Math.min(width - 1, Math.max(0, x + Math.round(k * stepX)));
      const py = Math.min(height - 1, Math.max(0, y + Math.round(k * stepY)));
      sum += source[py * width + px] * kernel[k + reach];
    }
    return sum;
  });
}

function blur(view: Canvas, random: Random, unit: number, strength: number): void {
  if (random.chance(0.35)) {
    const length = Math.max(1, Math.round((unit * strength * 3.2) / 2));
    const kernel = new Float32Array(2 * length + 1).fill(1 / (2 * length + 1));
    const angle = random.between(0, Math.PI);
    convolve(view, kernel, Math.cos(angle), Math.sin(angle));
    return;
  }
  const sigma = Math.max(0.3, unit * strength);
  const reach = Math.ceil(sigma * 2.5);
  const kernel = Float32Array.from({ length: 2 * reach + 1 }, (_, k) =>
    Math.exp(-((k - reach) ** 2) / (2 * sigma * sigma)),
  );
  const sum = kernel.reduce((total, value) => total + value, 0);
  for (let k = 0; k < kernel.length; k += 1) kernel[k] /= sum;
  convolve(view, kernel, 1, 0);
  convolve(view, kernel, 0, 1);
}

function turn(raster: Raster, turned: number): { raster: Raster; map: (point: Point) => Point } {
  const { width, height, data } = raster;
  if (turned === 0) return { raster, map: (point) => point };
  const maps: Record<number, (point: Point) => Point> = {
    90: ([x, y]) => [height - 1 - y, x],
    180: ([x, y]) => [width - 1 - x, height - 1 - y],
    270: ([x, y]) => [y, width - 1 - x],
  };
  const map = maps[turned];
  const wide = turned === 180 ? width : height;
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [tx, ty] = map([x, y]);
      out[ty * wide + tx] = data[y * width + x];
    }
  }
  return { raster: { width: wide, height: turned === 180 ? height : width, data: out }, map };
}

export interface Shot {
  readonly kind: PictureClass;
  /** Width of a character in pixels of the picture, about. */
  readonly unit: number;
  readonly turned: number;
}

/** The document as a camera sees it, with what its class does to the picture. */
export function photograph(
  random: Random,
  types: Types,
  document: DrawnDocument | undefined,
  shot: Shot,
): Photograph {
  const { kind, unit } = shot;
  const has = (one: PictureClass, share = 0.35) => kind === one || (kind === 'mixed' && random.chance(share));
  const canvas = document?.canvas;
  const scale = document ? unit / document.pitch : 1;
  const [wide, high] = canvas ? [canvas.width * scale, canvas.height * scale] : [unit * 40, unit * 28];
  const isTilted = has('tilt', 0.5);
  const tilt = isTilted
    ? ((random.between(3, 10) * Math.PI) / 180) * random.pick([-1, 1])
    : random.normal() * (random.chance(0.3) ? 0.06 : 0.012);
  // Some documents lie far away in a large picture.
  const far = Math.max(1.9, (MOST_PLACES * unit) / Math.max(wide, high));
  const room =
    (random.chance(0.3) ? random.between(1.9, far) : random.between(1.03, 1.9)) + (kind === 'clutter' ? 0.15 : 0);
  const boxWide = wide * Math.abs(Math.cos(tilt)) + high * Math.abs(Math.sin(tilt));
  const boxHigh = wide * Math.abs(Math.sin(tilt)) + high * Math.abs(Math.cos(tilt));
  const aspect = random.pick([4 / 3, 4 / 3, 3 / 4, 16 / 9, 1.5]);
  const width = Math.round(Math.max(boxWide, boxHigh * aspect) * room);
  const height = Math.round(Math.max(width / aspect, boxHigh * 1.04));
  const isCluttered = has('clutter', 0.4);
  const view = drawScene(random, types, width, height, unit, isCluttered);
  let courses: (readonly Point[])[] = [];
  let zone: Point = [width / 2, height / 2];
  if (document && canvas) {
    const skew = has('perspective', 0.5) ? random.between(0.03, 0.11) : random.between(0, 0.012);
    const cx = width / 2 + random.between(-0.45, 0.45) * (width - boxWide);
    const cy = height / 2 + random.between(-0.45, 0.45) * (height - boxHigh);
    const corner = (sx: number, sy: number): Point => {
      const x = (sx * wide) / 2 + random.between(-1, 0.2) * sx * skew * wide;
      const y = (sy * high) / 2 + random.between(-1, 0.2) * sy * skew * high;
      return [cx + x * Math.cos(tilt) - y * Math.sin(tilt), cy + x * Math.sin(tilt) + y * Math.cos(tilt)];
    };
    const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)] as const;
    const matrix = projectionTo(canvas.width, canvas.height, corners);
    const round = random.chance(0.5) ? canvas.height * random.between(0.02, 0.06) : 0;
    const back = inverse(matrix);
    const curl = random.chance(0.25) ? random.normal() * unit * 0.35 : 0;
    if (random.chance(0.4)) addCastShadow(view, random, unit, canvas, back);
    view.all((old, x, y) => {
      const [u, v] = project(back, [x, y]);
      const share = u / canvas.width;
      const bent = v + (curl / scale) * 4 * share * (1 - share);
      if (u < 0 || bent < 0 || u > canvas.width - 1 || bent > canvas.height - 1) return old;
      const [offX, offY] = [
        Math.max(round - u, u - canvas.width + round),
        Math.max(round - bent, bent - canvas.height + round),
      ];
      if (offX > 0 && offY > 0 && offX * offX + offY * offY > round * round) return old;
      return bilinear(canvas.data, canvas.width, canvas.height, u, bent, old);
    });
    if (random.chance(0.2)) addFingers(view, random, unit, corners);
    courses = document.courses.map(([x0, y, x1]) =>
      [0, 0.25, 0.5, 0.75, 1].map((share) => {
        const x = x0 + (x1 - x0) * share;
        const across = x / canvas.width;
        return project(matrix, [x, y - (curl / scale) * 4 * across * (1 - across)]);
      }),
    );
    zone = courses[0]?.[2] ?? zone;
  }
  const [slopeX, slopeY] = [random.between(-0.15, 0.15) / width, random.between(-0.15, 0.15) / height];
  const gain = random.between(0.55, 1.1);
  view.all((tone, x, y) => tone * (gain + slopeX * x + slopeY * y));
  if (random.chance(0.25)) addFilm(view, random, unit);
  const veil = random.chance(0.25) ? random.between(0, 90) : 0;
  if (veil > 0) view.all((tone) => veil + tone * (1 - veil / 160));
  if (has('shadow')) addShadows(view, random, unit, zone);
  if (has('glare')) addGlare(view, random, unit, zone);
  if (has('blur')) blur(view, random, unit, random.between(0.05, kind === 'mixed' ? 0.1 : 0.14));
  else blur(view, random, unit, random.between(0.01, 0.04));
  const noise = has('noise') ? random.between(8, kind === 'mixed' ? 14 : 22) : random.between(0, 4);
  const data = new Uint8Array(view.data.length);
  for (let at = 0; at < data.length; at += 1) {
    const grain = noise > 0 ? (random.next() + random.next() + random.next() - 1.5) * 2 * noise : 0;
    data[at] = Math.max(0, Math.min(255, Math.round(view.data[at] + grain)));
  }
  const { raster, map } = turn({ width: view.width, height: view.height, data }, shot.turned);
  const quality = has('jpeg', 0.4) ? random.integer(30, 60) : random.integer(70, 95);
  return { raster, courses: courses.map((points) => points.map(map)), quality, turned: shot.turned };
}
