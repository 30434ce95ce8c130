import type { Random } from './random.ts';

/** A bright reflection: an ellipse that fades outwards. */
export interface Glare {
  readonly x: number;
  readonly y: number;
  readonly along: number;
  readonly across: number;
  readonly angle: number;
  /** The share of white in its middle. */
  readonly peak: number;
}

/** A shadow inside all of its edges, each with the normal that points into it. */
export interface Shadow {
  readonly edges: readonly (readonly [normalX: number, normalY: number, distance: number])[];
  readonly strength: number;
  /** Pixels over which an edge fades. */
  readonly soft: number;
}

export interface Light {
  readonly glares: readonly Glare[];
  readonly shadows: readonly Shadow[];
  readonly gain: number;
  /** How much darker one side is than the other. */
  readonly slope: number;
  /** Of red against blue. */
  readonly warmth: number;
  /** Standard deviation of the noise of the sensor. */
  readonly noise: number;
}

const CELL = 16;

/** Slow changes of brightness and the glare, one value for each cell: gain and share of white. */
function coarse(
  random: Random,
  width: number,
  height: number,
  light: Light,
): { gain: Float32Array; white: Float32Array; columns: number } {
  const columns = Math.ceil(width / CELL) + 2;
  const rows = Math.ceil(height / CELL) + 2;
  const [gain, white] = [new Float32Array(columns * rows), new Float32Array(columns * rows)];
  const angle = random.between(0, 2 * Math.PI);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const vignette = random.between(0, 0.25);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const [x, y] = [column * CELL, row * CELL];
      const [u, v] = [(2 * x) / width - 1, (2 * y) / height - 1];
      const cell = row * columns + column;
      gain[cell] = light.gain * (1 + (light.slope / 2) * (u * cos + v * sin) - (vignette * (u * u + v * v)) / 2);
      for (const { x: gx, y: gy, along, across, angle: turn, peak } of light.glares) {
        const [dx, dy] = [x - gx, y - gy];
        const p = (dx * Math.cos(turn) + dy * Math.sin(turn)) / along;
        const q = (dy * Math.cos(turn) - dx * Math.sin(turn)) / across;
        const r = p * p + q * q;
        if (r < 9) white[cell] = Math.max(white[cell], peak * Math.exp(-r * r * 0.5));
      }
    }
  return { gain, white, columns };
}

function shadeAt(shadow: Shadow, x: number, y: number): number {
  let inside = 1;
  for (const edge of shadow.edges) {
    const t = (edge[0] * x + edge[1] * y - edge[2]) / shadow.soft + 0.5;
    if (t <= 0) return 0;
    if (t < 1) inside *= t * t * (3 - 2 * t);
  }
  return inside * shadow.strength;
}

/** The same bytes, with values beyond them bounded when they are written. */
function bounded(picture: Uint8Array): Uint8ClampedArray {
  return new Uint8ClampedArray(picture.buffer, picture.byteOffset, picture.length);
}

/** Lights the picture in place. */
export function lit(random: Random, picture: Uint8Array, width: number, height: number, light: Light): void {
  const { gain, white, columns } = coarse(random, width, height, light);
  const { shadows, warmth } = light;
  const out = bounded(picture);
  for (let y = 0, i = 0; y < height; y += 1) {
    const above = Math.floor(y / CELL) * columns;
    const down = (y % CELL) / CELL;
    const between = (values: Float32Array, cell: number) =>
      values[cell] + (values[cell + columns] - values[cell]) * down;
    for (let column = 0; column * CELL < width; column += 1) {
      const cell = above + column;
      let [value, share] = [between(gain, cell), between(white, cell)];
      const step = (between(gain, cell + 1) - value) / CELL;
      const shareStep = (between(white, cell + 1) - share) / CELL;
      const end = Math.min(width, (column + 1) * CELL);
      for (let x = column * CELL; x < end; x += 1, i += 3, value += step, share += shareStep) {
        let lightness = value;
        for (const shadow of shadows) lightness *= 1 - shadeAt(shadow, x, y);
        lightness *= 1 - share;
        const reflected = 255 * share;
        out[i] = out[i] * lightness * (1 + warmth) + reflected;
        out[i + 1] = out[i + 1] * lightness + reflected;
        out[i + 2] = out[i + 2] * lightness * (1 - warmth) + reflected;
      }
    }
  }
}

/** The noise of a sensor, more in brightness than in one colour alone. */
export function grain(random: Random, picture: Uint8Array, sigma: number): void {
  const size = 1 << 14;
  const table = Float32Array.from({ length: size }, () => random.normal() * sigma);
  const out = bounded(picture);
  let at = 0;
  for (let i = 0; i < out.length; i += 3) {
    if (i % 15_000 === 0) at = random.integer(0, size - 1);
    at = (at + 1) & (size - 1);
    const colour = (at * 3) & (size - 1);
    out[i] += table[at] + 0.4 * table[colour];
    out[i + 1] += table[at] + 0.4 * table[(colour + 7919) & (size - 1)];
    out[i + 2] += table[at] + 0.4 * table[(colour + 3571) & (size - 1)];
  }
}
