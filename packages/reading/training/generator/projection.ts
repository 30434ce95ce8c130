export type Point = readonly [x: number, y: number];

/** A projection of the plane: nine numbers, row by row. */
export type Projection = readonly [
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  h: number,
  i: number,
];

/** Maps the unit square to four corners (left upper, right upper, right lower, left lower). */
function ofSquare([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]: readonly [Point, Point, Point, Point]): Projection {
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const divisor = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / divisor;
  const h = (dx1 * dy3 - dx3 * dy1) / divisor;
  return [x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h, 1];
}

/** Maps a rectangle of this size to four corners. */
export function projectionTo(
  width: number,
  height: number,
  corners: readonly [Point, Point, Point, Point],
): Projection {
  const [a, b, c, d, e, f, g, h, i] = ofSquare(corners);
  return [a / width, b / height, c, d / width, e / height, f, g / width, h / height, i];
}

export function inverse(matrix: Projection): Projection {
  const [a, b, c, d, e, f, g, h, i] = matrix;
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
}

export function project(m: Projection, [x, y]: Point): Point {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
}
