import { FORMATS, type FormatName } from '../../src/mrz/formats.ts';
import { addDots, addGuilloche, addNoise, Canvas, withWeight, writeLine } from './canvas.ts';
import type { Glyphs } from './glyphs.ts';
import type { Random } from './random.ts';
import type { Raster } from './raster.ts';
import { drawZone } from './zone.ts';

/** What documents and scenes are drawn with. */
export interface Types {
  readonly glyphs: readonly Glyphs[];
  readonly words: readonly Raster[];
}

export interface DrawnDocument {
  readonly canvas: Canvas;
  readonly format: FormatName;
  readonly lines: readonly string[];
  /** The middle of each line from its first to its last place, and the width of a place. */
  readonly courses: readonly (readonly [x0: number, y: number, x1: number])[];
  readonly pitch: number;
}

/** Width and height in millimetres. */
const SIZES: Record<FormatName, readonly [number, number]> = {
  TD1: [85.6, 54],
  TD2: [105, 74],
  TD3: [125, 88],
  'MRV-A': [120, 80],
  'MRV-B': [105, 74],
};
const PLACE = 2.54;

function addPortrait(canvas: Canvas, random: Random, x: number, y: number, width: number, height: number): void {
  const [ground, face, hair] = [random.between(140, 235), random.between(90, 210), random.between(20, 150)];
  const ellipse = (cx: number, cy: number, rx: number, ry: number, tone: number) =>
    canvas.each(
      x + (cx - rx) * width,
      y + (cy - ry) * height,
      x + (cx + rx) * width,
      y + Math.min(1, cy + ry) * height,
      (old, px, py) => {
        const [u, v] = [(px - x) / width - cx, (py - y) / height - cy];
        return (u / rx) ** 2 + (v / ry) ** 2 < 1 ? tone : old;
      },
    );
  canvas.each(x, y, x + width, y + height, () => ground);
  ellipse(0.5, 0.42, 0.3, 0.32, hair);
  ellipse(0.5, 0.48, 0.22, 0.28, face);
  ellipse(0.5, 1, 0.42, 0.24, random.between(20, 200));
}

/** Words in rows, as fields and labels or as a page of text. */
export function addWords(
  canvas: Canvas,
  random: Random,
  words: readonly Raster[],
  area: readonly [x0: number, y0: number, x1: number, y1: number],
  size: number,
  density: number,
): void {
  const [x0, y0, x1, y1] = area;
  for (let y = y0; y + size < y1; y += size * random.between(1.1, 2.2)) {
    for (let x = x0; x < x1; ) {
      const ink = random.pick(words);
      const scale = (size / ink.height) * random.between(0.7, 1);
      if (x + ink.width * scale > x1) break;
      if (random.chance(density))
        canvas.stamp(ink, x, y, scale, scale, random.between(0, 90), random.between(0.5, 1));
      x += ink.width * scale + size * random.between(0.3, 2);
    }
  }
}

function drawPaper(random: Random, width: number, height: number, unit: number): Canvas {
  const canvas = new Canvas(width, height, random.between(120, 250));
  const [slopeX, slopeY] = [random.between(-35, 35) / width, random.between(-35, 35) / height];
  canvas.all((tone, x, y) => tone + slopeX * x + slopeY * y);
  for (let count = random.integer(0, 4); count > 0; count -= 1) addGuilloche(canvas, random, unit);
  if (random.chance(0.25)) addDots(canvas, random, unit);
  if (random.chance(0.6)) addNoise(canvas, random, unit * random.between(0.2, 3), random.between(2, 12));
  return canvas;
}

/** Faint words across the page, also beneath the zone, as overlays and security prints have them. */
function addWatermark(canvas: Canvas, random: Random, words: readonly Raster[], unit: number): void {
  const size = unit * random.between(1, 7);
  const [tone, strength] = [random.pick([20, 250]), random.between(0.04, 0.22)];
  for (let count = random.integer(1, 14); count > 0; count -= 1) {
    const ink = random.pick(words);
    const scale = size / ink.height;
    const [x, y] = [random.between(-0.1, 0.9) * canvas.width, random.between(0.2, 0.95) * canvas.height];
    canvas.stamp(ink, x, y, scale, scale, tone, strength);
  }
}

/** Rules and boxes such as forms have, some of them close to the zone. */
function addRules(canvas: Canvas, random: Random, unit: number, zoneTop: number): void {
  const thick = unit * random.between(0.05, 0.25);
  const tone = random.between(20, 170);
  for (const y of [zoneTop - unit * random.between(0.3, 1.6), random.between(0, zoneTop)]) {
    const [x0, x1] = [random.between(0, 0.1) * canvas.width, random.between(0.6, 1) * canvas.width];
    canvas.each(x0, y, x1, y + thick, () => tone);
  }
}

/** Bars, squares, a chip and a stripe, as on the backs of cards. */
function addMachineMarks(canvas: Canvas, random: Random, unit: number, bottom: number): void {
  const kind = random.integer(0, 4);
  const ink = random.between(5, 70);
  if (kind === 0) {
    const [top, high] = [random.between(0, 0.3) * bottom, unit * random.between(3, 6)];
    canvas.each(0, top, canvas.width, top + high, () => ink);
    return;
  }
  const [wide, high] =
    kind === 1 ? [unit * 6, unit * 5] : [unit * random.between(8, 24), unit * random.between(2, 7)];
  const [left, top] = [
    random.between(0.03, 0.6) * canvas.width,
    random.between(0.04, 0.9) * Math.max(1, bottom - high),
  ];
  const end = Math.min(bottom, top + high);
  if (kind === 1) {
    const tone = random.between(110, 210);
    canvas.each(left, top, left + wide, end, (_, x, y) =>
      (x - left) % (wide / 3) < unit / 5 || (y - top) % (high / 3) < unit / 5 ? tone * 0.5 : tone,
    );
    return;
  }
  const module = unit * random.between(0.12, 0.4);
  const rows = kind === 2 ? high : module * random.pick([1, 3]);
  const columns = Math.ceil(wide / module) + 1;
  const dark = Uint8Array.from({ length: columns * (Math.ceil(high / rows) + 1) }, () => random.integer(0, 1));
  canvas.each(left - unit, top - unit / 2, left + wide + unit, Math.min(bottom, end + unit / 2), () => 235);
  canvas.each(left, top, left + wide, end, (old, x, y) => {
    const at = Math.floor((y - top) / rows) * columns + Math.floor((x - left) / module);
    return y >= top && x >= left && dark[at] ? ink : old;
  });
}

/** A card, a data page or a visa with `scale` pixels a millimetre; `isBlank` leaves its zone out. */
export function drawDocument(random: Random, types: Types, scale: number, isBlank = false): DrawnDocument {
  const format = random.pick(FORMATS);
  const [wide, high] = SIZES[format.name];
  const unit = PLACE * scale;
  const isBook = format.name === 'TD3' && random.chance(0.5);
  const pageTop = isBook ? high * scale : 0;
  const canvas = drawPaper(random, wide * scale, high * scale * (isBook ? 2 : 1), unit);
  const { width, height } = canvas;
  if (isBook) {
    const shade = random.between(0.75, 1.1);
    canvas.each(0, 0, width, pageTop, (tone) => tone * shade);
    canvas.each(0, pageTop - unit / 3, width, pageTop + unit / 5, (tone) => tone * 0.6);
    if (random.chance(0.7))
      addWords(
        canvas,
        random,
        types.words,
        [unit * 2, unit * 3, width - unit * 2, pageTop - unit * 3],
        unit * random.between(0.8, 2),
        0.5,
      );
  }
  const pitch = Math.min(unit * random.between(0.9, 1.05), (width - unit * 0.8) / format.length);
  // Doc 9303 asks for a quarter of an inch from line to line; other printers leave less.
  const spacing =
    unit *
    random.pick([
      random.between(2.3, 2.8),
      random.between(2.4, 2.6),
      random.between(1.4, 2),
      random.between(1.3, 2.9),
    ]);
  const length = pitch * format.length;
  const zoneHigh = (format.lines - 1) * spacing;
  const last = height - unit * (random.chance(0.75) ? random.between(1.1, 3.4) : random.between(0.9, 6.5));
  const room = Math.max(0, (width - length) / 2 - unit * 0.4);
  const start =
    (width - length) / 2 + Math.max(-room, Math.min(room, random.normal() * unit * random.pick([0.5, 0.5, 5])));
  const zoneTop = last - zoneHigh - unit;
  if (random.chance(0.45)) {
    const band = random.between(150, 255);
    const keep = random.between(0, 0.7);
    canvas.each(
      0,
      zoneTop - unit * random.between(0, 1),
      width,
      height,
      (tone) => tone * keep + band * (1 - keep),
    );
  }
  const bodyTop = pageTop + unit;
  if (random.chance(0.85)) {
    const photo = unit * random.between(8, 13);
    const tall = Math.min(photo * 1.28, zoneTop - bodyTop - unit * 0.4);
    const right = random.chance(0.2);
    addPortrait(canvas, random, right ? width - photo - unit : unit, bodyTop + unit, tall / 1.28, tall);
    const text: readonly [number, number, number, number] = right
      ? [unit, bodyTop, width - photo - unit * 2, zoneTop - unit * 0.3]
      : [photo + unit * 2, bodyTop, width - unit, zoneTop - unit * 0.3];
    addWords(canvas, random, types.words, text, unit * random.between(0.7, 1.4), random.between(0.35, 0.9));
  } else {
    addWords(
      canvas,
      random,
      types.words,
      [unit, bodyTop, width - unit, zoneTop - unit * 0.3],
      unit * random.between(0.7, 1.4),
      random.between(0.3, 0.9),
    );
  }
  if (random.chance(0.3)) addMachineMarks(canvas, random, unit, zoneTop - unit * 0.5);
  if (random.chance(0.2)) {
    const area = [unit, last + unit * 0.8, width - unit, height - unit * 0.1] as const;
    addWords(canvas, random, types.words, area, unit * random.between(0.5, 0.9), random.between(0.2, 0.9));
  }
  if (random.chance(0.35)) addWatermark(canvas, random, types.words, unit);
  if (random.chance(0.3)) addRules(canvas, random, unit, zoneTop);
  const lines = drawZone(random, format.name);
  const glyphs = withWeight(random.pick(types.glyphs), random.pick([0, 0, 0, 1, 1, 2, -1]));
  const style = {
    pitch,
    stretch: random.between(0.86, 1.15),
    narrow: random.between(0.84, 1.06),
    tone: random.between(5, 80),
    strength: random.between(0.5, 1),
    jitter: random.chance(0.3) ? random.between(0.005, 0.02) : 0,
  };
  const courses = lines.map((text, index) => {
    const y = last - zoneHigh + index * spacing;
    if (!isBlank) writeLine(canvas, random, glyphs, text, start, y, style);
    return [start, y, start + length] as const;
  });
  return { canvas, format: format.name, lines: isBlank ? [] : lines, courses: isBlank ? [] : courses, pitch };
}
