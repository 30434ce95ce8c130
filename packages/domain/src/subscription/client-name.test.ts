import { expect, it } from 'vitest';
import { clientNameKey } from './client-name.ts';

it.each([
  ['Acme Bank', 'acme bank'],
  ['CAFÉ ÄPFEL', 'cafe apfel'],
  ['Cafe\u0301 A\u0308pfel', 'cafe apfel'],
  ['№ ½', 'no 1⁄2'],
  ['Банк', 'банк'],
  ['株式会社', '株式会社'],
])('clientNameKey: %s is found as %s', (name, key) => {
  expect(clientNameKey(name)).toBe(key);
});
