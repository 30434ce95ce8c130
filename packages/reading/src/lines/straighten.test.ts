import { describe, expect, test } from 'vitest';
import type { GreyPicture } from '../picture.ts';
import { type Course, pointAt } from './course.ts';
import { straighten } from './straighten.ts';

const PITCH = 20;
const [WIDTH, HEIGHT] = [1000, 200];

/** A line of upright strokes as high as letters, its middle at a height that depends on x. */
function picture(middle: (x: number) => number, ink = 30): GreyPicture {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(200);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      if (x % PITCH < PITCH / 3 && Math.abs(y + 0.5 - middle(x)) < PITCH / 2) data[y * WIDTH + x] = ink;
    }
  }
  return { width: WIDTH, height: HEIGHT, data };
}

const course: Course = { x: 500, y: 100, along: [1, 0], bend: [0, 0, 0], from: -400, to: 400 };
const heightAt = (line: Course, u: number) => pointAt(line, u, 0)[1];

/** The farthest that a course lies off the drawn middle, in pixels. */
function farthest(line: Course, middle: (x: number) => number): number {
  return Math.max(...[-350, -150, 0, 150, 350].map((u) => Math.abs(heightAt(line, u) - middle(500 + u))));
}

describe('straighten', () => {
  test.each([
    ['stands where the finder saw it', () => 100],
    ['stands lower', () => 106],
    ['stands higher', () => 95],
    ['rises', (x: number) => 103 - (x - 500) / 80],
    ['is bent', (x: number) => 97 + ((x - 500) / 180) ** 2],
  ])('follows a line that %s', (_, middle) => {
    expect(farthest(straighten(picture(middle), course, PITCH), middle)).toBeLessThan(PITCH / 14 + 0.5);
  });

  test('follows a line that runs from bottom to top', () => {
    const { data } = picture(() => 106);
    const turned = new Uint8Array(data.length);
    for (let y = 0; y < HEIGHT; y += 1) {
      for (let x = 0; x < WIDTH; x += 1) turned[(WIDTH - 1 - x) * HEIGHT + y] = data[y * WIDTH + x] ?? 0;
    }
    const upward: Course = { ...course, x: 100, y: 500, along: [0, -1] };
    const followed = straighten({ width: HEIGHT, height: WIDTH, data: turned }, upward, PITCH);
    expect(Math.abs(pointAt(followed, 0, 0)[0] - 106)).toBeLessThan(2);
  });

  test('follows the larger part of a line whose other part is offset', () => {
    const split = picture((x) => (x > 640 && x < 760 ? 94 : 106));
    expect(farthest(straighten(split, course, PITCH), () => 106)).toBeLessThan(0.5);
  });

  test('leaves a course unchanged where nothing is written', () => {
    expect(
      straighten(
        picture(() => 100, 200),
        course,
        PITCH,
      ),
    ).toEqual(course);
  });
});
