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

/** Lights the picture in place. */
export function lit(random: Random, picture: Uint8Array, width: number, height: number, light: Light): void {
  const { gain, white, columns } = coarse(random, width, height, light);
  const [red, blue] = [1 + light.warmth, 1 - light.warmth];
  for (let y = 0, i = 0; y < height; y += 1) {
    const row = Math.floor(y / CELL) * columns;
    const fy = (y % CELL) / CELL;
    for (let x = 0; x < width; x += 1, i += 3) {
      const cell = row + ((x / CELL) | 0);
      const fx = (x % CELL) / CELL;
      const w1 = (1 - fx) * (1 - fy);
      const w2 = fx * (1 - fy);
      const w3 = (1 - fx) * fy;
      const w4 = fx * fy;
      const below = cell + columns;
      let value = gain[cell] * w1 + gain[cell + 1] * w2 + gain[below] * w3 + gain[below + 1] * w4;
      const share = white[cell] * w1 + white[cell + 1] * w2 + white[below] * w3 + white[below + 1] * w4;
      for (const shadow of light.shadows) value *= 1 - shadeAt(shadow, x, y);
      for (let c = 0; c < 3; c += 1) {
        const colour = Math.min(255, picture[i + c] * value * (c === 0 ? red : c === 1 ? 1 : blue));
        picture[i + c] = colour + (255 - colour) * share;
      }
    }
  }
}

/** The noise of a sensor, more in one colour than in brightness alone. */
export function grain(random: Random, picture: Uint8Array, sigma: number): void {
  const size = 1 << 16;
  const table = Float32Array.from({ length: size }, () => random.normal() * sigma);
  let at = random.integer(0, size - 1);
  for (let i = 0; i < picture.length; i += 3) {
    if (i % 30_000 === 0) at = random.integer(0, size - 1);
    const luma = table[at++ & (size - 1)];
    for (let c = 0; c < 3; c += 1) {
      const value = picture[i + c] + luma + 0.4 * table[(at * 3 + c * 7919) & (size - 1)];
      picture[i + c] = Math.max(0, Math.min(255, value));
    }
  }
}
