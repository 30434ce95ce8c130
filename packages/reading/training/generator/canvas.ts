import type { Glyphs } from './glyphs.ts';
import { CELL } from './glyphs.ts';
import type { Random } from './random.ts';
import type { Raster } from './raster.ts';

/** A grey plane in floating point. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;

  constructor(width: number, height: number, tone = 255) {
    this.width = Math.max(2, Math.round(width));
    this.height = Math.max(2, Math.round(height));
    this.data = new Float32Array(this.width * this.height).fill(tone);
  }

  /** Lets `change` give each pixel within a rectangle a new tone. */
  each(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    change: (tone: number, x: number, y: number) => number,
  ): void {
    const left = Math.max(0, Math.floor(x0));
    const right = Math.min(this.width, Math.ceil(x1));
    for (let y = Math.max(0, Math.floor(y0)); y < Math.min(this.height, Math.ceil(y1)); y += 1) {
      for (let x = left, at = y * this.width + left; x < right; x += 1, at += 1) {
        this.data[at] = change(this.data[at], x, y);
      }
    }
  }

  all(change: (tone: number, x: number, y: number) => number): void {
    this.each(0, 0, this.width, this.height, change);
  }

  /** Stamps ink with its left upper corner at x, y, each of its pixels `scaleX` by `scaleY` large. */
  stamp(ink: Raster, x: number, y: number, scaleX: number, scaleY: number, tone: number, strength: number): void {
    // Where the ink is drawn smaller, several of its pixels make one.
    const steps = Math.max(1, Math.min(4, Math.round(0.8 / Math.min(scaleX, scaleY))));
    this.each(x, y, x + ink.width * scaleX, y + ink.height * scaleY, (old, px, py) => {
      let cover = 0;
      for (let row = 0; row < steps; row += 1) {
        const v = (py + (row + 0.5) / steps - y) / scaleY - 0.5;
        for (let column = 0; column < steps; column += 1) {
          cover += bilinear(
            ink.data,
            ink.width,
            ink.height,
            (px + (column + 0.5) / steps - x) / scaleX - 0.5,
            v,
            0,
          );
        }
      }
      const share = (cover / (steps * steps * 255)) * strength;
      return old + (tone - old) * share;
    });
  }
}

/** The tone between four pixels; `outside` beyond the edge. */
export function bilinear(
  data: ArrayLike<number>,
  width: number,
  height: number,
  x: number,
  y: number,
  outside: number,
): number {
  if (!(x > -1 && y > -1 && x < width && y < height)) return outside;
  const left = Math.floor(x);
  const top = Math.floor(y);
  const at = top * width + left;
  const inLeft = left >= 0;
  const inRight = left + 1 < width;
  const inTop = top >= 0;
  const inBottom = top + 1 < height;
  const a = inLeft && inTop ? data[at] : outside;
  const b = inRight && inTop ? data[at + 1] : outside;
  const c = inLeft && inBottom ? data[at + width] : outside;
  const d = inRight && inBottom ? data[at + width + 1] : outside;
  const fx = x - left;
  const fy = y - top;
  return (a * (1 - fx) + b * fx) * (1 - fy) + (c * (1 - fx) + d * fx) * fy;
}

/** Smooth noise of about -1 to 1 with bumps of `grain` pixels. */
export function addNoise(canvas: Canvas, random: Random, grain: number, strength: number): void {
  const columns = Math.ceil(canvas.width / grain) + 3;
  const rows = Math.ceil(canvas.height / grain) + 3;
  const knots = Float32Array.from({ length: columns * rows }, () => random.normal());
  canvas.all((tone, x, y) => tone + strength * bilinear(knots, columns, rows, x / grain, y / grain, 0));
}

/** Fine printed waves. */
export function addGuilloche(canvas: Canvas, random: Random, unit: number): void {
  const angle = random.between(0, Math.PI);
  const [alongX, alongY] = [Math.cos(angle), Math.sin(angle)];
  const wave = (2 * Math.PI) / (unit * random.between(0.25, 1.8));
  const bend = unit * random.between(0, 2.5);
  const bendWave = 1 / (unit * random.between(1, 6));
  const edge = random.between(0.3, 0.92);
  const strength = random.between(3, 26);
  const rows = Float32Array.from({ length: canvas.height }, (_, y) => bend * Math.sin(y * bendWave * 1.3));
  const columns = Float32Array.from({ length: canvas.width }, (_, x) => bend * Math.sin(x * bendWave));
  canvas.all((tone, x, y) => {
    const phase = (x * alongX + y * alongY + columns[x] + rows[y]) * wave;
    return Math.cos(phase) > edge ? tone - strength : tone;
  });
}

/** A screen of printed dots. */
export function addDots(canvas: Canvas, random: Random, unit: number): void {
  const angle = random.between(0, Math.PI / 2);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const wave = (2 * Math.PI) / (unit * random.between(0.2, 0.7));
  const [edge, strength] = [random.between(0.4, 1.4), random.between(4, 22)];
  canvas.all((tone, x, y) => {
    const sum = Math.cos((x * cos + y * sin) * wave) + Math.cos((y * cos - x * sin) * wave);
    return sum > edge ? tone - strength : tone;
  });
}

export interface LineStyle {
  readonly pitch: number;
  readonly stretch: number;
  readonly narrow: number;
  readonly tone: number;
  readonly strength: number;
  readonly jitter: number;
}

/** Writes a machine-readable line whose first place begins at x and whose capitals are centred on y. */
export function writeLine(
  canvas: Canvas,
  random: Random,
  glyphs: Glyphs,
  text: string,
  x: number,
  y: number,
  style: LineStyle,
): void {
  const scaleX = (style.pitch / CELL.pitch) * style.narrow;
  const scaleY = (style.pitch / CELL.pitch) * style.stretch;
  [...text].forEach((character, index) => {
    const glyph = glyphs.get(character);
    if (!glyph) return;
    const centre = x + (index + 0.5) * style.pitch + random.normal() * style.jitter * style.pitch;
    const middle = y + random.normal() * style.jitter * 0.8 * style.pitch;
    const left = centre - (CELL.left + CELL.pitch / 2) * scaleX;
    const top = middle - (CELL.baseline - CELL.pitch / 2) * scaleY;
    canvas.stamp(glyph, left, top, scaleX, scaleY, style.tone, style.strength);
  });
}

/** Glyphs with strokes wider (or, below 0, thinner) by so many pixels of a cell. */
export function withWeight(glyphs: Glyphs, weight: number): Glyphs {
  const reach = Math.abs(weight);
  if (reach === 0) return glyphs;
  const choose = weight > 0 ? Math.max : Math.min;
  const spread = ({ width, height, data }: Raster): Raster => {
    const out = new Uint8Array(data.length);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        let best = data[y * width + x];
        for (let dy = -reach; dy <= reach; dy += 1) {
          for (let dx = -reach; dx <= reach; dx += 1) {
            if (dx * dx + dy * dy > reach * reach || y + dy < 0 || y + dy >= height) continue;
            if (x + dx >= 0 && x + dx < width) best = choose(best, data[(y + dy) * width + x + dx]);
          }
        }
        out[y * width + x] = best;
      }
    }
    return { width, height, data: out };
  };
  return new Map([...glyphs].map(([character, raster]) => [character, spread(raster)]));
}
