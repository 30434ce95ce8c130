import type { GreyPicture } from '../picture.ts';
import { type Course, pointAt } from './course.ts';

/** Points looked at in the cell of a character, along the line and across it. */
const [ALONG, ACROSS] = [8, 12];

/** Where a line's characters stand: its course, the middle of the first one and the distance to the next. */
interface PlacedLine {
  readonly course: Course;
  readonly places: { readonly first: number; readonly pitch: number };
}

/** The value below which this share of numbers lies. */
function quantile(numbers: number[], share: number): number {
  return numbers.sort((a, b) => a - b)[Math.floor(share * (numbers.length - 1))] ?? 0;
}

/** How far ink stands out from paper in the cells of most characters, in tones of 256. */
export function contrastOf(
  { width, height, data }: GreyPicture,
  lines: readonly PlacedLine[],
  length: number,
): number {
  const cells = lines.flatMap(({ course, places: { first, pitch } }) =>
    Array.from({ length: length >> 1 }, (_, index) => {
      const tones = Array.from({ length: ALONG * ACROSS }, (_, point) => {
        const along = 2 * index + (point % ALONG) / ALONG - 0.5;
        const across = Math.floor(point / ALONG) / ACROSS - 0.5;
        const [x, y] = pointAt(course, first + along * pitch, across * pitch);
        const [column, row] = [Math.min(width - 1, Math.round(x)), Math.min(height - 1, Math.round(y))];
        return data[Math.max(0, row) * width + Math.max(0, column)] ?? 0;
      });
      return quantile(tones, 0.9) - quantile(tones, 0.05);
    }),
  );
  return quantile(cells, 0.5);
}
