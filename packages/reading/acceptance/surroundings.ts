import { Buffer } from 'node:buffer';
import sharp from 'sharp';
import type { Random } from './random.ts';
import { hsl, rect, text } from './sheet.ts';

/** Smooth noise from 0 to 1 on a grid of chance. */
function noiseOf(random: Random): (x: number, y: number) => number {
  const size = 64;
  const grid = Float32Array.from({ length: size * size }, () => random.next());
  return (x, y) => {
    const ix = Math.floor(x);
    const iy = Math.floor(y);
    const fx = x - ix;
    const fy = y - iy;
    const u = fx * fx * (3 - 2 * fx);
    const v = fy * fy * (3 - 2 * fy);
    const [left, right] = [ix & 63, (ix + 1) & 63];
    const [above, below] = [(iy & 63) * size, ((iy + 1) & 63) * size];
    const top = grid[above + left] * (1 - u) + grid[above + right] * u;
    return top * (1 - v) + (grid[below + left] * (1 - u) + grid[below + right] * u) * v;
  };
}

/** How light the surface is at a place, 0 to 1: `unit` is about a centimetre. */
type Surface = (x: number, y: number) => number;

const SURFACES: readonly ((random: Random) => Surface)[] = [
  function wood(random) {
    const [noise, boards] = [noiseOf(random), random.between(3, 9)];
    return (x, y) => {
      const grain = noise(x * 0.15, y * 3) * 0.5 + noise(x * 0.6, y * 14) * 0.35;
      const ring = Math.sin(8 * noise(x * 0.1, y * 0.7) + y * 2) * 0.08;
      return y % boards < 0.08 ? 0.12 : grain + ring + ((Math.floor(y / boards) * 37) % 7) * 0.02;
    };
  },
  function cloth(random) {
    const [noise, thread] = [noiseOf(random), random.between(5, 14)];
    return (x, y) => 0.45 + 0.16 * Math.sin(x * thread) * Math.sin(y * thread) + 0.3 * noise(x * 0.4, y * 0.4);
  },
  function stone(random) {
    const noise = noiseOf(random);
    return (x, y) => {
      const vein = Math.abs(noise(x * 0.3, y * 0.3) - 0.5 + 0.3 * (noise(x * 1.3, y * 1.3) - 0.5));
      return 0.35 + 0.4 * noise(x * 2.2, y * 2.2) * noise(x * 9, y * 9) + (vein < 0.03 ? 0.4 : 0);
    };
  },
  function plain(random) {
    const noise = noiseOf(random);
    return (x, y) => 0.55 + 0.12 * noise(x * 0.2, y * 0.2) + 0.05 * noise(x * 12, y * 12);
  },
  function checks(random) {
    const [noise, size] = [noiseOf(random), random.between(1, 5)];
    return (x, y) =>
      0.3 + 0.2 * (Math.floor(x / size) & 1) + 0.2 * (Math.floor(y / size) & 1) + 0.12 * noise(x * 6, y * 6);
  },
  function grille(random) {
    const [noise, size] = [noiseOf(random), random.between(0.25, 1)];
    return (x, y) => ((x / size) % 1 < 0.3 || (y / size) % 1 < 0.3 ? 0.25 : 0.6) + 0.1 * noise(x, y);
  },
];

/** Draws a table in a small picture: red, green and blue. */
function surface(random: Random, width: number, height: number): Buffer {
  const light = random.pick(SURFACES)(random);
  const [hue, saturation, base] = [random.between(0, 360), random.between(0, 0.4), random.between(0.25, 1.15)];
  const tint = [0, 120, 240].map((shift) => 1 + saturation * Math.cos(((hue - shift) * Math.PI) / 180));
  const angle = random.chance(0.5) ? random.between(-0.4, 0.4) : random.between(0, 6);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const unit = random.between(14, 30) / Math.max(width, height);
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, i = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (
        let c = 0, value = light((x * cos - y * sin) * unit + 40, (x * sin + y * cos) * unit + 40);
        c < 3;
        c += 1
      )
        pixels[i++] = Math.max(6, Math.min(250, value * 255 * base * tint[c]));
  return pixels;
}

/** Something that lies about, `size` is about the width of a hand. */
const THINGS: readonly ((random: Random, size: number) => string)[] = [
  (random, size) =>
    `<g>${rect(-size, -size * 0.04, size * 1.7, size * 0.08, `rx="${size * 0.04}" fill="${hsl(random.between(0, 360), 60, 30)}"`)}<path d="M${size * 0.7} ${-size * 0.04}l${size * 0.14} ${size * 0.04}l${-size * 0.14} ${size * 0.04}z" fill="#caa"/></g>`,
  (random, size) =>
    Array.from({ length: 4 }, (_, i) => {
      const ink = hsl(random.between(25, 50), random.between(10, 60), 50);
      return `<circle cx="${i * size * 0.22}" cy="${random.between(-0.2, 0.2) * size}" r="${size * 0.12}" fill="${ink}" stroke="#543" stroke-width="${size * 0.012}"/>`;
    }).join(''),
  (random, size) =>
    `<circle r="${size * 0.5}" fill="${hsl(random.between(0, 360), 40, 80)}"/><circle r="${size * 0.43}" fill="#3a2416"/><circle r="${size * 0.43}" fill="none" stroke="#765" stroke-width="${size * 0.02}"/>`,
  (random, size) => {
    const lines = Array.from({ length: 16 }, (_, i) =>
      text(size * 0.1, size * (0.15 + i * 0.1), random.text('more than seen ', random.integer(18, 34)), {
        size: size * 0.07,
      }),
    );
    return rect(0, 0, size * 1.4, size * 1.9, 'fill="#f4f2ea"') + lines.join('');
  },
  (random, size) =>
    `${rect(0, 0, size * 0.8, size * 1.6, `rx="${size * 0.1}" fill="#111"`)}${rect(size * 0.04, size * 0.1, size * 0.72, size * 1.4, `fill="${hsl(random.between(0, 360), 30, 15)}"`)}`,
  (random, size) =>
    `${rect(0, 0, size * 0.7, size * 0.7, `fill="${hsl(random.between(40, 70), 90, 70)}"`)}${text(size * 0.05, size * 0.3, 'call 0800 / 17', { size: size * 0.09 })}`,
  (random, size) =>
    `${rect(0, 0, size * 0.86, size * 0.54, `rx="${size * 0.03}" fill="${hsl(random.between(0, 360), 60, 40)}"`)}${text(size * 0.06, size * 0.36, `5${random.text('0123456789', 3)} 0000 ${random.text('0123456789', 4)} 1111`, { size: size * 0.075, ink: '#eee' })}`,
  (random, size) =>
    `<path d="M0 0C${size} ${random.between(-1, 1) * size} ${size * 2} ${size} ${size * 3} ${random.between(-1, 1) * size}" fill="none" stroke="#222" stroke-width="${size * 0.05}"/>`,
];

/** The table with what lies on it, and the soft shadow of the sheet. */
export async function surroundings(
  random: Random,
  width: number,
  height: number,
  corners: readonly (readonly [number, number])[],
  clutter: number,
): Promise<Buffer> {
  const small = Math.min(1, 720 / Math.max(width, height));
  const [w, h] = [Math.max(8, Math.round(width * small)), Math.max(8, Math.round(height * small))];
  const hand = Math.hypot(corners[1][0] - corners[0][0], corners[1][1] - corners[0][1]) * 0.7;
  const things = Array.from({ length: clutter }, () => {
    const [x, y] = [random.between(0, width), random.between(0, height)];
    const thing = random.pick(THINGS)(random, hand * random.between(0.7, 1.3));
    return `<g transform="translate(${x.toFixed(0)} ${y.toFixed(0)}) rotate(${random.between(0, 360).toFixed(0)})">${thing}</g>`;
  });
  const outline = `<polygon points="${corners.map((corner) => corner.map(Math.round).join()).join(' ')}"/>`;
  const size = `width="${w}" height="${h}" viewBox="0 0 ${width} ${height}"`;
  const drawn = (shapes: string) =>
    sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${shapes}</svg>`)).ensureAlpha();
  const over = await drawn(things.join('')).raw().toBuffer();
  const raised = sharp(
    await drawn(things.join('') + outline)
      .extractChannel(3)
      .toBuffer(),
  );
  const soft = raised.blur(Math.max(0.5, hand * small * 0.03));
  const shadow = await soft.toColourspace('b-w').raw().toBuffer();
  const table = surface(random, w, h);
  const [dx, dy] = [Math.round(hand * small * 0.03), Math.round(hand * small * 0.04)];
  for (let y = 0; y < h; y += 1)
    for (let x = 0; x < w; x += 1) {
      const i = y * w + x;
      const shade = 1 - (0.55 / 255) * shadow[Math.max(0, y - dy) * w + Math.max(0, x - dx)];
      const alpha = over[i * 4 + 3] / 255;
      for (let c = 0; c < 3; c += 1)
        table[i * 3 + c] = table[i * 3 + c] * shade * (1 - alpha) + over[i * 4 + c] * alpha;
    }
  return sharp(table, { raw: { width: w, height: h, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer();
}
