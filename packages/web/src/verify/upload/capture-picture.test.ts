import { expect, it } from 'vitest';

// Modules of pages are checked with the types of a browser, by a configuration of their own.
const module = new URL('../../../assets/capture-picture.js', import.meta.url).href;
const { fitted } = (await import(module)) as {
  fitted(width: number, height: number): { width: number; height: number };
};

it.each([
  [8000, 6000, 3000, 2250],
  [6000, 8000, 2250, 3000],
  [3000, 3000, 3000, 3000],
  [1920, 1080, 1920, 1080],
  [8000, 1, 3000, 1],
  [1, 1, 1, 1],
  [0, 0, 1, 1],
])('a picture of %i × %i is sent as %i × %i', (width, height, toWidth, toHeight) => {
  expect(fitted(width, height)).toEqual({ width: toWidth, height: toHeight });
});
