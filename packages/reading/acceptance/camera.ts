import type { Random } from './random.ts';
import type { Sheet } from './sheet.ts';

/** How the camera is held. Angles in degrees. */
export interface Pose {
  readonly turn: number;
  readonly tilt: number;
  readonly yaw: number;
  readonly nod: number;
  /** Distance in widths of the sheet: near cameras exaggerate perspective. */
  readonly distance: number;
  /** Millimetres by which the middle of the sheet stands up. */
  readonly bend: number;
}

/** Three by three, row by row. */
type Matrix = readonly number[];

function product(a: Matrix, b: Matrix): Matrix {
  return Array.from({ length: 9 }, (_, i) => {
    const [row, column] = [Math.floor(i / 3) * 3, i % 3];
    return a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6];
  });
}

function inverse(m: Matrix): Matrix {
  const [a, b, c, d, e, f, g, h, i] = m;
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const determinant = a * A + b * B + c * C;
  return [A, c * h - b * i, b * f - c * e, B, a * i - c * g, c * d - a * f, C, b * g - a * h, a * e - b * d].map(
    (value) => value / determinant,
  );
}

function projected(m: Matrix, x: number, y: number): [x: number, y: number] {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
}

/** From millimetres of the sheet to the plane of the picture, in any scale. */
function poseMatrix(sheet: Sheet, pose: Pose): Matrix {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const [roll, yaw, nod] = [radians(pose.turn + pose.tilt), radians(pose.yaw), radians(pose.nod)];
  const flat = [Math.cos(roll), -Math.sin(roll), 0, Math.sin(roll), Math.cos(roll), 0, 0, 0, 1];
  const around = [Math.cos(yaw), 0, Math.sin(yaw), 0, 1, 0, -Math.sin(yaw), 0, Math.cos(yaw)];
  const over = [1, 0, 0, 0, Math.cos(nod), -Math.sin(nod), 0, Math.sin(nod), Math.cos(nod)];
  const r = product(over, product(around, flat));
  const far = pose.distance * Math.max(sheet.width, sheet.height);
  const view = [far * r[0], far * r[1], 0, far * r[3], far * r[4], 0, r[6], r[7], far];
  return product(view, [1, 0, -sheet.width / 2, 0, 1, -sheet.height / 2, 0, 0, 1]);
}

/** A frame with the sheet in it. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly toPicture: Matrix;
  /** Corners of the sheet in the picture, clockwise from its first. */
  readonly corners: readonly (readonly [number, number])[];
}

/** The least distance of two neighbouring characters of the zone, in the units of the picture. */
function leastPitch(matrix: Matrix, sheet: Sheet): number {
  const { zone } = sheet;
  if (!zone) return 1;
  let least = Number.POSITIVE_INFINITY;
  for (const y of zone.baselines)
    for (const place of [0, zone.characters - 1]) {
      const [x1, y1] = projected(matrix, zone.left + place * zone.pitch, y);
      const [x2, y2] = projected(matrix, zone.left + (place + 1) * zone.pitch, y);
      least = Math.min(least, Math.hypot(x2 - x1, y2 - y1));
    }
  return least;
}

/** What of the sheet has to be in the picture, in millimetres. Without it: all. */
export interface Crop {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The middle of each edge of a crop, those at its sides at the height of the zone. */
function middlesOf(crop: Crop, sheet: Sheet): (readonly [x: number, y: number])[] {
  const lines = sheet.zone?.baselines ?? [sheet.height / 2];
  const y = ((lines[0] ?? 0) + (lines.at(-1) ?? 0)) / 2 - 1.2;
  const x = (crop.left + crop.right) / 2;
  const [left, right] = [crop.left, crop.right].map((side) => [side, y] as const);
  return [left, right, [x, crop.top], [x, crop.bottom]];
}

/**
 * Composes a picture in which a character of the zone is at least `pitch` wide.
 * @param pitch pixels for each character, or for each millimetre of a sheet without a zone
 * @param fill the share of the picture's longer direction that the sheet takes
 * @param crop cuts the picture exactly here
 */
export function composed(
  random: Random,
  sheet: Sheet,
  pose: Pose,
  pitch: number,
  fill: number,
  crop?: Crop,
): Frame {
  const view = poseMatrix(sheet, pose);
  const scale = pitch / leastPitch(view, sheet);
  const sized = product([scale, 0, 0, 0, scale, 0, 0, 0, 1], view);
  const [across, down] = [sheet.width, sheet.height];
  const cornersOf = (matrix: Matrix) =>
    [0, 1, 2, 3].map((i) => projected(matrix, i === 1 || i === 2 ? across : 0, i > 1 ? down : 0));
  // A crop holds exactly at the zone, not at the corners of a tilted sheet.
  const edges = crop ? middlesOf(crop, sheet).map(([x, y]) => projected(sized, x, y)) : cornersOf(sized);
  const range = (axis: 0 | 1) => {
    const all = edges.map((edge) => edge[axis]);
    return [Math.min(...all), Math.max(...all)] as const;
  };
  const [[x1, x2], [y1, y2]] = [range(0), range(1)];
  const [boxWidth, boxHeight] = [x2 - x1, y2 - y1];
  if (crop) return framed(sized, boxWidth, boxHeight, -x1, -y1);
  const isWide = boxWidth > boxHeight;
  const aspect = random.pick([4 / 3, 4 / 3, 3 / 2, 16 / 9, 1]);
  let [width, height] = isWide
    ? [boxWidth / fill, boxWidth / fill / aspect]
    : [boxHeight / fill / aspect, boxHeight / fill];
  [width, height] = [Math.max(width, boxWidth * 1.06), Math.max(height, boxHeight * 1.06)];
  const shift = () => random.between(0.15, 0.85);
  return framed(sized, width, height, (width - boxWidth) * shift() - x1, (height - boxHeight) * shift() - y1);

  function framed(matrix: Matrix, w: number, h: number, dx: number, dy: number): Frame {
    const toPicture = product([1, 0, dx, 0, 1, dy, 0, 0, 1], matrix);
    return { width: Math.round(w), height: Math.round(h), toPicture, corners: cornersOf(toPicture) };
  }
}

/** The pixels of the sheet for each millimetre that its nearest part needs. */
export function densityOf(frame: Frame, sheet: Sheet): number {
  const sides = frame.corners.map(([x, y], i) => {
    const [nextX, nextY] = frame.corners[(i + 1) % 4];
    return Math.hypot(nextX - x, nextY - y) / (i % 2 ? sheet.height : sheet.width);
  });
  return Math.max(...sides);
}

/** Lays the sheet, red, green, blue and alpha, into the picture, red, green and blue. */
export function lay(
  picture: Uint8Array,
  frame: Frame,
  sheet: Sheet,
  pixels: { data: Uint8Array; width: number; height: number },
  bend: number,
): void {
  const back = inverse(frame.toPicture);
  const { data, width, height } = pixels;
  const [scaleX, scaleY] = [width / sheet.width, height / sheet.height];
  const xs = frame.corners.map(([x]) => x);
  const ys = frame.corners.map(([, y]) => y);
  const margin = Math.abs(bend) * scaleY + 2;
  const from = (all: number[], most: number) => Math.max(0, Math.min(most, Math.floor(Math.min(...all) - margin)));
  const to = (all: number[], most: number) => Math.max(0, Math.min(most, Math.ceil(Math.max(...all) + margin)));
  const [left, right] = [from(xs, frame.width), to(xs, frame.width)];
  const bottom = to(ys, frame.height);
  const [a, b, c, d, e, f, g, h, k] = back;
  for (let y = from(ys, frame.height); y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const w = 1 / (g * x + h * y + k);
      const mmX = (a * x + b * y + c) * w;
      const part = (2 * mmX) / sheet.width - 1;
      const mmY = (d * x + e * y + f) * w + bend * (1 - part * part);
      const sx = mmX * scaleX - 0.5;
      const sy = mmY * scaleY - 0.5;
      if (sx < 0 || sy < 0 || sx >= width - 1 || sy >= height - 1) continue;
      const ix = sx | 0;
      const iy = sy | 0;
      const fx = sx - ix;
      const fy = sy - iy;
      const above = (iy * width + ix) * 4;
      const below = above + width * 4;
      let target = (y * frame.width + x) * 3;
      const alpha = data[above + 3] / 255;
      for (let channel = 0; channel < 3; channel += 1, target += 1) {
        const at = above + channel;
        const under = below + channel;
        const top = data[at] + (data[at + 4] - data[at]) * fx;
        const colour = top + (data[under] + (data[under + 4] - data[under]) * fx - top) * fy;
        picture[target] += (colour - picture[target]) * alpha;
      }
    }
  }
}

/** Where a point of the sheet is in the picture. */
export function inPicture(frame: Frame, x: number, y: number): [x: number, y: number] {
  return projected(frame.toPicture, x, y);
}
