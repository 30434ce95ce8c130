/** The middle of a line of text: a slight curve along a direction. All in pixels of the picture. */
export interface Course {
  readonly x: number;
  readonly y: number;
  /** Cosine and sine of the direction in which the text runs. */
  readonly along: readonly [number, number];
  /** How far below the straight the line is after `u` pixels: c0 + c1 u + c2 u². */
  readonly bend: readonly [number, number, number];
  readonly from: number;
  readonly to: number;
}

/** A place on a course, and which way is down there. */
export interface Plumb {
  readonly x: number;
  readonly y: number;
  readonly downX: number;
  readonly downY: number;
}

/** The place `u` pixels along the course. */
export function plumbAt(course: Course, u: number): Plumb {
  const [cos, sin] = course.along;
  const [c0, c1, c2] = course.bend;
  const across = c0 + c1 * u + c2 * u * u;
  const slope = c1 + 2 * c2 * u;
  const length = Math.sqrt(1 + slope * slope);
  return {
    x: course.x + u * cos - across * sin,
    y: course.y + u * sin + across * cos,
    downX: (-slope * cos - sin) / length,
    downY: (-slope * sin + cos) / length,
  };
}

/** The place `u` pixels along the course and `v` pixels below it. */
export function pointAt(course: Course, u: number, v: number): readonly [number, number] {
  const { x, y, downX, downY } = plumbAt(course, u);
  return [x + v * downX, y + v * downY];
}

/** The same line read from its other end. */
export function reversed(course: Course): Course {
  const [cos, sin] = course.along;
  const [c0, c1, c2] = course.bend;
  return { ...course, along: [-cos, -sin], bend: [-c0, c1, -c2], from: -course.to, to: -course.from };
}

/** The course in pixels of a picture `factor` times as large. */
export function scaled(course: Course, factor: number): Course {
  const [c0, c1, c2] = course.bend;
  return {
    x: course.x * factor,
    y: course.y * factor,
    along: course.along,
    bend: [c0 * factor, c1, c2 / factor],
    from: course.from * factor,
    to: course.to * factor,
  };
}

/** The least squares fit of a curve (a straight, where few points are known) to points of weight 1. */
export function fitBend(us: readonly number[], vs: readonly number[]): readonly [number, number, number] {
  const terms = us.length >= 8 ? 3 : us.length >= 2 ? 2 : 1;
  const matrix = Array.from({ length: terms }, () => Array.from({ length: terms + 1 }, () => 0));
  us.forEach((u, index) => {
    for (let row = 0; row < terms; row += 1) {
      for (let column = 0; column < terms; column += 1) matrix[row][column] += u ** (row + column);
      matrix[row][terms] += vs[index] * u ** row;
    }
  });
  for (let pivot = 0; pivot < terms; pivot += 1) {
    matrix[pivot][pivot] += 1e-9;
    for (let row = 0; row < terms; row += 1) {
      if (row === pivot) continue;
      const factor = matrix[row][pivot] / matrix[pivot][pivot];
      for (let column = pivot; column <= terms; column += 1) matrix[row][column] -= factor * matrix[pivot][column];
    }
  }
  const [c0 = 0, c1 = 0, c2 = 0] = matrix.map((row, index) => row[terms] / row[index]);
  return [c0, c1, c2];
}
