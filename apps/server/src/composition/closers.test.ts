import { expect, test } from 'vitest';
import { createClosers } from './closers.ts';

test('closeAll: closes newest first, one after the other, each once', async () => {
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

test('closeAll: closes the others when one fails', async () => {
  const closers = createClosers();
  const closed: string[] = [];
  closers.push(() => void closed.push('first'));
  closers.push(() => Promise.reject(new Error('stuck')));

  await expect(closers.closeAll()).rejects.toMatchObject({ errors: [new Error('stuck')] });

  expect(closed).toEqual(['first']);
});
