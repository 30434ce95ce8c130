import { describe, expect, it } from 'vitest';
import { givenConsole } from '../../test-support/console.ts';
import { createTurns } from './turns.ts';

const nextIteration = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('turns', () => {
  it('begin one in each iteration of the event loop, first come, first served', async () => {
    const turn = createTurns();
    const given: string[] = [];
    for (const name of ['first', 'second', 'third']) void turn().then(() => given.push(name));
    await Promise.resolve();
    const seen = [given.join(' ')];
    for (let iteration = 0; iteration < 3; iteration += 1) {
      await nextIteration();
      seen.push(given.join(' '));
    }
    expect(seen).toEqual(['first', 'first second', 'first second third', 'first second third']);
  });

  it('begin immediately while no other turn is waiting', async () => {
    const turn = createTurns();
    for (let round = 0; round < 3; round += 1) {
      let isGiven = false;
      void turn().then(() => {
        isGiven = true;
      });
      await Promise.resolve();
      expect(isGiven).toBe(true);
      await nextIteration();
      await nextIteration();
    }
  });
});

describe('eight pages requested at once', () => {
  it('eight pages requested at once are rendered in different iterations of the event loop, so that other requests wait for one page', async () => {
    const given = await givenConsole();
    let iteration = 0;
    let isOver = false;
    const count = (): void => {
      iteration += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const answered = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { status } = await given.ask('/review');
        return { status, iteration };
      }),
    );
    isOver = true;
    expect(answered.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answered.map((page) => page.iteration)).size).toBe(8);
  });
});
