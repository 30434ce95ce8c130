import { expect, it } from 'vitest';
import { clientNameKey } from './client-name.ts';

it.each([
  ['Acme Bank', 'acme bank'],
  ['CAFÉ ZOË', 'cafe zoe'],
  ['Cafe\u0301 Zoe\u0308', 'cafe zoe'],
  ['№ ½', 'no 1⁄2'],
  ['Банк', 'банк'],
  ['株式会社', '株式会社'],
])('clientNameKey: %s is found as %s', (name, key) => {
  expect(clientNameKey(name)).toBe(key);
});
