import { expect, test } from 'vitest';
import { createSenderUse } from './sender-use.ts';

function given() {
  let time = 0;
  const use = createSenderUse(() => time);
  return { use, pass: (milliseconds: number) => (time += milliseconds) };
}

test('sender use: adds up what a sender has used, and knows nothing of others', () => {
  const { use } = given();
  use.add('a', 300);
  use.add('a', 200);
  expect([use.of('a'), use.of('b')]).toEqual([500, 0]);
});

test('sender use: a tenth of each second is forgiven, to zero and not below', () => {
  const { use, pass } = given();
  use.add('a', 300);
  pass(1000);
  expect(use.of('a')).toBe(200);
  use.add('a', 100);
  pass(1000);
  expect(use.of('a')).toBe(200);
  pass(60_000);
  expect(use.of('a')).toBe(0);
  use.add('a', 100);
  expect(use.of('a')).toBe(100);
});

test('sender use: uploads without a sender are not added up', () => {
  const { use } = given();
  use.add(undefined, 300);
  expect(use.of(undefined)).toBe(0);
});
