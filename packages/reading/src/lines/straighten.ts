import type { GreyPicture } from '../picture.ts';
import { type Course, fitBend, pointAt } from './course.ts';

/** Places along a line at which its middle is looked for. */
const STATIONS = 13;
/** Rows looked at, each a fourteenth of a character's width, and how far the middle may lie off. */
const [ROWS, OFF] = [34, 6];

function toneAt({ width, height, data }: GreyPicture, x: number, y: number): number {
  const px = Math.max(0, Math.min(width - 1, Math.floor(x)));
  const py = Math.max(0, Math.min(height - 1, Math.floor(y)));
  return data[py * width + px];
}

/** How much the tones of each row change along the line around `u`: letters stand out from what lies between lines. */
function strokes(picture: GreyPicture, course: Course, u: number, pitch: number): number[] {
  const steps = 36;
  const rows: number[] = [];
  for (let row = 0; row < ROWS; row += 1) {
    const v = ((row - ROWS / 2 + 0.5) * pitch) / 14;
    let sum = 0;
    let last = -1;
    for (let step = 0; step < steps; step += 1) {
      const [x, y] = pointAt(course, u + ((step - steps / 2) * pitch) / 6, v);
      const tone = toneAt(picture, x, y);
      if (last >= 0) sum += Math.min(60, Math.abs(tone - last));
      last = tone;
    }
    rows.push(sum);
  }
  return rows;
}

/** How far below its course the line's middle is at a station, in rows, and how clearly. */
function middleOf(rows: readonly number[]): { shift: number; clear: number } {
  const sums = [0];
  for (const row of rows) sums.push((sums.at(-1) ?? 0) + row);
  const between = (from: number, to: number) => (sums[to] - sums[from]) / (to - from);
  let best = { shift: 0, clear: Number.NEGATIVE_INFINITY };
  for (let shift = -OFF; shift <= OFF; shift += 1) {
    const top = ROWS / 2 + shift - 7;
    const clear =
      between(top, top + 14) - (between(top - 4, top) + between(top + 14, top + 18)) / 2 - Math.abs(shift) * 2;
    if (clear > best.clear) best = { shift, clear };
  }
  return best;
}

/** Moves a course to where the letters are in the picture itself, because the finder's map is coarse. */
export function straighten(picture: GreyPicture, course: Course, pitch: number): Course {
  const stations = Array.from({ length: STATIONS }, (_, index) => {
    const u = course.from + ((course.to - course.from) * (index + 0.5)) / STATIONS;
    return { u, ...middleOf(strokes(picture, course, u, pitch)) };
  }).filter(({ clear }) => clear > 0);
  if (stations.length < 6) return course;
  const middle = (course.from + course.to) / 2;
  let kept = stations;
  const bendOf = () =>
    fitBend(
      kept.map(({ u }) => u - middle),
      kept.map(({ shift }) => (shift * pitch) / 14),
    );
  let bend = bendOf();
  for (let round = 0; round < 2; round += 1) {
    const near = kept.filter(({ u, shift }) => {
      const at = u - middle;
      return Math.abs(bend[0] + bend[1] * at + bend[2] * at * at - (shift * pitch) / 14) < (2.2 * pitch) / 14;
    });
    if (near.length < 6) break;
    kept = near;
    bend = bendOf();
  }
  const [d0, d1, d2] = bend;
  const [c0, c1, c2] = course.bend;
  return { ...course, bend: [c0 + d0 - d1 * middle + d2 * middle * middle, c1 + d1 - 2 * d2 * middle, c2 + d2] };
}
