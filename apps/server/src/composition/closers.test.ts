import { expect, test } from 'vitest';
import { createClosers } from './closers.ts';

test('closes in reverse, one after the other, and each once', async () => {
  const closers = createClosers();
  const closed: string[] = [];
  closers.push(() => void closed.push('first'));
  closers.push(async () => {
    await Promise.resolve();
    closed.push('second');
  });

  await closers.closeAll();
  await closers.closeAll();

  expect(closed).toEqual(['second', 'first']);
});

test('a failure does not keep the others open', async () => {
  const closers = createClosers();
  const closed: string[] = [];
  closers.push(() => void closed.push('first'));
  closers.push(() => Promise.reject(new Error('stuck')));

  await expect(closers.closeAll()).rejects.toMatchObject({ errors: [new Error('stuck')] });

  expect(closed).toEqual(['first']);
});
