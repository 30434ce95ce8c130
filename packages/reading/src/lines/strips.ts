import { type Planes, planes } from '../network/convolution.ts';
import type { GreyPicture } from '../picture.ts';
import { type Course, plumbAt } from './course.ts';

const STRIP_HEIGHT = 24;
/** Columns of a strip for each character. */
export const STRIP_PITCH = 14;

/** How a strip lies along its course, in pixels of the picture. */
export interface Cut {
  /** Where its first column lies. */
  readonly from: number;
  readonly columns: number;
  /** Pixels of the picture for each column and row. */
  readonly scale: number;
  /** How far below the course its middle is, in rows. */
  readonly shift: number;
}

function tone({ width, height, data }: GreyPicture, x: number, y: number): number {
  const px = Math.max(0, Math.min(width - 1.001, x));
  const py = Math.max(0, Math.min(height - 1.001, y));
  const left = Math.floor(px);
  const top = Math.floor(py);
  const at = top * width + left;
  const [fx, fy] = [px - left, py - top];
  const upper = data[at] * (1 - fx) + data[at + 1] * fx;
  const lower = data[at + width] * (1 - fx) + data[at + width + 1] * fx;
  return upper * (1 - fy) + lower * fy;
}

/** Each column against the mean and the deviation of those around it: light and ink differ along a line. */
function localContrast(strip: Planes): void {
  const { width, height, data } = strip;
  const sums = new Float64Array(width + 1);
  const squares = new Float64Array(width + 1);
  for (let x = 0; x < width; x += 1) {
    let [sum, square] = [0, 0];
    for (let y = 0; y < height; y += 1) {
      const value = data[y * width + x];
      sum += value;
      square += value * value;
    }
    sums[x + 1] = sums[x] + sum;
    squares[x + 1] = squares[x] + square;
  }
  for (let x = 0; x < width; x += 1) {
    const first = Math.max(0, x - STRIP_PITCH);
    const last = Math.min(width, x + STRIP_PITCH + 1);
    const count = (last - first) * height;
    const mean = (sums[last] - sums[first]) / count;
    const deviation = Math.sqrt(Math.max(0, (squares[last] - squares[first]) / count - mean * mean)) + 4;
    for (let y = 0; y < height; y += 1) {
      const at = y * width + x;
      data[at] = Math.max(-3, Math.min(3, (data[at] - mean) / deviation));
    }
  }
}

/** The strip along a course, as the recogniser reads it. */
export function cutStrip(picture: GreyPicture, course: Course, cut: Cut): Planes {
  const strip = planes(STRIP_HEIGHT, cut.columns, 1);
  const samples = Math.max(1, Math.min(4, Math.round(cut.scale)));
  const share = 1 / (samples * samples);
  for (let column = 0; column < cut.columns; column += 1) {
    for (let across = 0; across < samples; across += 1) {
      const { x, y, downX, downY } = plumbAt(course, cut.from + (column + (across + 0.5) / samples) * cut.scale);
      for (let row = 0; row < STRIP_HEIGHT; row += 1) {
        let sum = 0;
        for (let down = 0; down < samples; down += 1) {
          const v = (row + (down + 0.5) / samples - STRIP_HEIGHT / 2 + cut.shift) * cut.scale;
          sum += tone(picture, x + v * downX - 0.5, y + v * downY - 0.5);
        }
        strip.data[row * cut.columns + column] += sum * share;
      }
    }
  }
  localContrast(strip);
  return strip;
}
