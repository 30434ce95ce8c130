import { expect, it } from 'vitest';
import { createSenderSlots } from './sender-slots.ts';

/** Slots that note who got one. */
function givenSlots(options: Parameters<typeof createSenderSlots>[0]) {
  const slots = createSenderSlots(options);
  const got: string[] = [];
  const take = (name: string, isSlow = false) =>
    slots.take(isSlow).then((slot) => {
      got.push(name);
      return slot;
    });
  return { got, take };
}

it('slots: as many as there are, then in the order of the calls', async () => {
  const { got, take } = givenSlots({ total: 9, quick: 2, slow: 1 });
  const a = await take('a');
  await take('b');
  const waiting = [take('c'), take('d')];
  a.release();
  await waiting[0];
  expect(got).toEqual(['a', 'b', 'c']);
});

it('slots: slow requests wait for a slow slot and keep no other waiting', async () => {
  const { got, take } = givenSlots({ total: 9, quick: 2, slow: 1 });
  const slow = await take('slow', true);
  const second = take('second slow', true);
  await take('fast');
  expect(got).toEqual(['slow', 'fast']);
  slow.release();
  await second;
});

it('slots: a request that turns slow leaves no slot to further slow ones', async () => {
  const { got, take } = givenSlots({ total: 9, quick: 2, slow: 1 });
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

it('slots: a request that turns slow leaves its slot to the next quick one, up to the total', async () => {
  const { got, take } = givenSlots({ total: 2, quick: 1, slow: 1 });
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
