import { type Planes, planes } from '../network/convolution.ts';
import type { Networks } from '../network/networks.ts';
import { type GreyPicture, shrink } from '../picture.ts';
import { type Course, fitBend, scaled } from './course.ts';

/** Cells of the finder's map are this many pixels wide. */
const CELL = 4;
/** Lines shorter than this many cells cannot be read. */
const SHORTEST = 18;

/** Two or three parallel lines, from the uppermost on in one of the two directions in which they may run. */
export type Bundle = readonly Course[];

interface Spot {
  readonly u: number;
  readonly v: number;
}

function standardised(picture: GreyPicture): Planes {
  const { width, height, data } = picture;
  // The network halves its planes three times.
  const [wide, high] = [Math.ceil(width / 8) * 8, Math.ceil(height / 8) * 8];
  let sum = 0;
  let squares = 0;
  for (const tone of data) {
    sum += tone;
    squares += tone * tone;
  }
  const mean = sum / data.length;
  const deviation = Math.sqrt(Math.max(0, squares / data.length - mean * mean)) + 8;
  const result = planes(high, wide, 1);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) result.data[y * wide + x] = (data[y * width + x] - mean) / deviation;
  }
  return result;
}

/** Cells of a piece that is looked at from close by, and the longest side of that look. */
const [CLOSE_UP, CLOSE_SIDE] = [10, 384];
/** Least values of a cell of the map: faint lines are searched for where no clear ones are found. */
const LEVELS = [0, -1.5];
/** Cells between the lines of a zone: those of a card close by are searched for where no nearer ones are found. */
const REACHES = [3, 7];

/** Connected cells above a level, across gaps of up to `reach` cells; the largest first. */
function pieces({ width, height, data }: Planes, reach: number, level: number): number[][] {
  const seen = new Uint8Array(data.length);
  const found: number[][] = [];
  for (let start = 0; start < data.length; start += 1) {
    if (seen[start] || data[start] <= level) continue;
    const piece = [start];
    seen[start] = 1;
    for (let next = 0; next < piece.length; next += 1) {
      const [x, y] = [piece[next] % width, Math.floor(piece[next] / width)];
      for (let py = Math.max(0, y - reach); py <= Math.min(height - 1, y + reach); py += 1) {
        for (let px = Math.max(0, x - reach); px <= Math.min(width - 1, x + reach); px += 1) {
          const at = py * width + px;
          if (seen[at] || data[at] <= level) continue;
          seen[at] = 1;
          piece.push(at);
        }
      }
    }
    found.push(piece);
  }
  return found.sort((a, b) => b.length - a.length);
}

/** The direction in which a piece is longest, and its middle. */
function axis(
  piece: readonly number[],
  width: number,
): { x: number; y: number; along: readonly [number, number] } {
  let [sumX, sumY] = [0, 0];
  for (const at of piece) {
    sumX += at % width;
    sumY += Math.floor(at / width);
  }
  const [x, y] = [sumX / piece.length, sumY / piece.length];
  let [xx, xy, yy] = [0, 0, 0];
  for (const at of piece) {
    const [dx, dy] = [(at % width) - x, Math.floor(at / width) - y];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  return { x, y, along: [Math.cos(angle), Math.sin(angle)] };
}

/** The ridges of a piece: cells that no neighbour across the lines exceeds, placed between cells by a parabola. */
function ridges(map: Planes, piece: readonly number[], frame: ReturnType<typeof axis>): Spot[] {
  const { width, height, data } = map;
  const [cos, sin] = frame.along;
  const isFlat = Math.abs(cos) >= Math.abs(sin);
  const spots: Spot[] = [];
  for (const at of piece) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const place = isFlat ? y : x;
    const [step, end] = isFlat ? [width, height] : [1, width];
    const [low, high] = [place > 0 ? data[at - step] : -9, place + 1 < end ? data[at + step] : -9];
    if (low > data[at] || high >= data[at]) continue;
    const curve = low - 2 * data[at] + high;
    const shift = curve < -1e-6 ? Math.max(-0.5, Math.min(0.5, (low - high) / (2 * curve))) : 0;
    const [dx, dy] = [x + (isFlat ? 0 : shift) - frame.x, y + (isFlat ? shift : 0) - frame.y];
    spots.push({ u: dx * cos + dy * sin, v: -dx * sin + dy * cos });
  }
  return spots.sort((a, b) => a.u - b.u);
}

function predict(chain: readonly Spot[], u: number): number {
  const tail = chain.slice(-14);
  if (tail.length < 6) return tail.reduce((sum, spot) => sum + spot.v, 0) / tail.length;
  const middle = tail.reduce((sum, spot) => sum + spot.u, 0) / tail.length;
  const [c0, c1] = fitBend(
    tail.slice(-7).map((spot) => spot.u - middle),
    tail.slice(-7).map((spot) => spot.v),
  );
  return c0 + Math.max(-0.35, Math.min(0.35, c1)) * (u - middle);
}

/** Spots one after another along the same line, across gaps that glare leaves. */
function chains(spots: readonly Spot[]): Spot[][] {
  const open: Spot[][] = [];
  for (const spot of spots) {
    let best: Spot[] | undefined;
    let nearest = 1.1;
    for (const chain of open) {
      const last = chain.at(-1) as Spot;
      if (spot.u - last.u > 14 || spot.u - last.u < 0.3) continue;
      const distance = Math.abs(predict(chain, spot.u) - spot.v);
      if (distance < nearest) [best, nearest] = [chain, distance];
    }
    if (best) best.push(spot);
    else open.push([spot]);
  }
  return open.filter((chain) => chain.length >= 5);
}

interface Fitted {
  readonly bend: readonly [number, number, number];
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

function fit(chain: readonly Spot[]): Fitted {
  let kept = chain;
  let bend = fitBend(
    kept.map(({ u }) => u),
    kept.map(({ v }) => v),
  );
  for (let round = 0; round < 2; round += 1) {
    const near = kept.filter(({ u, v }) => Math.abs(bend[0] + bend[1] * u + bend[2] * u * u - v) < 0.8);
    if (near.length < 5) break;
    kept = near;
    bend = fitBend(
      kept.map(({ u }) => u),
      kept.map(({ v }) => v),
    );
  }
  return { bend, from: kept[0]?.u ?? 0, to: kept.at(-1)?.u ?? 0, count: kept.length };
}

function heightAt({ bend: [c0, c1, c2] }: Fitted, u: number): number {
  return c0 + c1 * u + c2 * u * u;
}

/** Joins chains that go on where another ends, as on both sides of a glare. */
function joined(all: readonly Spot[][]): Spot[][] {
  const result = all.map((chain) => [...chain]).sort((a, b) => b.length - a.length);
  for (let first = 0; first < result.length; first += 1) {
    for (let second = first + 1; second < result.length; second += 1) {
      const [one, two] = [fit(result[first]), fit(result[second])];
      const overlap = Math.min(one.to, two.to) - Math.max(one.from, two.from);
      if (overlap > 2) continue;
      const middle = overlap > 0 ? (two.from + two.to) / 2 : one.to < two.from ? two.from : two.to;
      const limit = 0.7 + Math.max(0, -overlap) * 0.04;
      if (
        Math.abs(
          heightAt({ ...one, bend: [one.bend[0], one.bend[1], one.bend[2] / 2] }, middle) - heightAt(two, middle),
        ) > limit
      )
        continue;
      result[first] = [...result[first], ...result[second]].sort((a, b) => a.u - b.u);
      result.splice(second, 1);
      second = first;
    }
  }
  return result;
}

/** Sets of two or three lines above each other at one distance, the longest first. */
function bundles(lines: readonly Fitted[]): Fitted[][] {
  const long = lines.filter(({ from, to, count }) => to - from >= SHORTEST && count >= (to - from) * 0.35);
  const longest = Math.max(0, ...long.map(({ from, to }) => to - from));
  const sorted = long
    .filter(({ from, to }) => to - from >= longest * 0.6)
    .sort((a, b) => heightAt(a, (a.from + a.to) / 2) - heightAt(b, (b.from + b.to) / 2));
  const gapAt = (index: number, share: number) => {
    const [a, b] = [sorted[index], sorted[index + 1]];
    const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
    const u = from + share * (to - from);
    return heightAt(b, u) - heightAt(a, u);
  };
  const gap = (index: number) => gapAt(index, 0.5);
  const isParallel = (index: number) =>
    [0.1, 0.9].every((share) => Math.abs(gapAt(index, share) / gap(index) - 1) < 0.6);
  const close = (index: number) => gap(index) < longest * 0.13 && gap(index) > longest * 0.02 && isParallel(index);
  const result: Fitted[][] = [];
  for (let index = 0; index + 1 < sorted.length; index += 1) {
    if (!close(index)) continue;
    const isThree =
      index + 2 < sorted.length && close(index + 1) && Math.abs(gap(index) / gap(index + 1) - 1) < 0.45;
    if (isThree) {
      result.push(sorted.slice(index, index + 3));
      index += 1;
    } else result.push(sorted.slice(index, index + 2));
  }
  return result;
}

/** Lines of which too little was seen to know their curve take that of the longest line. */
function parallel(bundle: readonly Fitted[]): Fitted[] {
  const model = bundle.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
  return bundle.map((line) => {
    if (line.to - line.from > 0.8 * (model.to - model.from)) return line;
    const middle = (line.from + line.to) / 2;
    const below = heightAt(line, middle) - heightAt(model, middle);
    return { ...line, bend: [model.bend[0] + below, model.bend[1], model.bend[2]] };
  });
}

function bundlesOf(map: Planes, level: number, reach: number): Bundle[] {
  return pieces(map, reach, level)
    .slice(0, 3)
    .filter((piece) => piece.length >= SHORTEST)
    .flatMap((piece) => {
      const frame = axis(piece, map.width);
      const lines = joined(chains(ridges(map, piece, frame))).map(fit);
      return bundles(lines).map((bundle) => {
        const from = Math.min(...bundle.map((line) => line.from)) - 0.5;
        const to = Math.max(...bundle.map((line) => line.to)) + 0.5;
        const [x, y] = [frame.x + 0.5, frame.y + 0.5];
        return parallel(bundle).map(({ bend }) => ({ x, y, along: frame.along, bend, from, to }));
      });
    });
}

function mapOf(picture: GreyPicture, networks: Networks, side: number): { map: Planes; factor: number } {
  const small = shrink(picture, side);
  return { map: networks.find(standardised(small.picture)), factor: CELL / small.scale };
}

function bundlesIn({ map, factor }: { map: Planes; factor: number }): Bundle[] {
  for (const level of LEVELS) {
    for (const reach of REACHES) {
      const found = bundlesOf(map, level, reach);
      if (found.length > 0) return found.map((bundle) => bundle.map((course) => scaled(course, factor)));
    }
  }
  return [];
}

/** The part of the picture around the largest piece of a map, where lines too fine for the map may stand. */
function closeUp(picture: GreyPicture, { map, factor }: { map: Planes; factor: number }) {
  const [piece] = pieces(map, 2, LEVELS[1]);
  if (!piece || piece.length < CLOSE_UP) return undefined;
  const xs = piece.map((at) => (at % map.width) * factor);
  const ys = piece.map((at) => Math.floor(at / map.width) * factor);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const half = Math.max(right - left, bottom - top) * 0.8;
  if (half > picture.width * 0.4 && half > picture.height * 0.4) return undefined;
  const x = Math.max(0, Math.round((left + right) / 2 - half));
  const y = Math.max(0, Math.round((top + bottom) / 2 - half));
  const width = Math.min(picture.width - x, Math.round(2 * half));
  const height = Math.min(picture.height - y, Math.round(2 * half));
  const data = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const from = (y + row) * picture.width + x;
    data.set(picture.data.subarray(from, from + width), row * width);
  }
  return { part: { width, height, data }, x, y };
}

/** Looks for the lines of a zone in the picture drawn with its longest side `side`, then where they may be finer. */
export function findLines(picture: GreyPicture, networks: Networks, side: number): Bundle[] {
  const seen = mapOf(picture, networks, side);
  const found = bundlesIn(seen);
  const near = found.length > 0 ? undefined : closeUp(picture, seen);
  if (!near) return found;
  return bundlesIn(mapOf(near.part, networks, CLOSE_SIDE)).map((bundle) =>
    bundle.map((course) => ({ ...course, x: course.x + near.x, y: course.y + near.y })),
  );
}
