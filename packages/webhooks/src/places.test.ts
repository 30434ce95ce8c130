import { expect, it } from 'vitest';
import { createPlaces } from './places.ts';

/** Places that note who got one. */
function givenPlaces(options: Parameters<typeof createPlaces>[0]) {
  const places = createPlaces(options);
  const got: string[] = [];
  const take = (name: string, isSlow = false) =>
    places.take(isSlow).then((place) => {
      got.push(name);
      return place;
    });
  return { got, take };
}

it('places: as many as there are, then in the order of the calls', async () => {
  const { got, take } = givenPlaces({ total: 9, quick: 2, slow: 1 });
  const a = await take('a');
  await take('b');
  const waiting = [take('c'), take('d')];
  a.release();
  await waiting[0];
  expect(got).toEqual(['a', 'b', 'c']);
});

it('places: slow requests wait for a slow place and keep no other waiting', async () => {
  const { got, take } = givenPlaces({ total: 9, quick: 2, slow: 1 });
  const slow = await take('slow', true);
  const second = take('second slow', true);
  await take('fast');
  expect(got).toEqual(['slow', 'fast']);
  slow.release();
  await second;
});

it('places: a request that turns slow leaves no place to further slow ones', async () => {
  const { got, take } = givenPlaces({ total: 9, quick: 2, slow: 1 });
  const first = await take('turns slow');
  first.markSlow();
  first.markSlow();
  const slow = take('slow', true);
  await take('fast');
  expect(got).toEqual(['turns slow', 'fast']);
  first.release();
  await slow;
  expect(got).toContain('slow');
});

it('places: a request that turns slow leaves its place to the next quick one, up to the total', async () => {
  const { got, take } = givenPlaces({ total: 2, quick: 1, slow: 1 });
  const first = await take('first');
  const waiting = [take('second'), take('third')];
  expect(got).toEqual(['first']);
  first.markSlow();
  const second = await waiting[0];
  second?.markSlow();
  expect(got).toEqual(['first', 'second']);
  first.release();
  await waiting[1];
  expect(got).toEqual(['first', 'second', 'third']);
});
