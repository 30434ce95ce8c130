import { expect, it } from 'vitest';
import { withoutRepeats } from './without-repeats.ts';

it.each<[password: string, rest: string]>([
  ['violet anchor', 'violet anchor'],
  ['summer'.repeat(3), 'summer'],
  ['x-summer, Summer-y', 'x-summer-y'],
  ['summer....summer', 'summer....summer'],
  ['abab', 'abab'],
  // An incomplete repeat at the end, also after punctuation and in another case.
  ['summer summer sum', 'summer'],
  [`${'summer'.repeat(2)} - SUM`, 'summer'],
  [`${'summer'.repeat(2)} sun`, 'summer sun'],
  [`${'summer'.repeat(2)}....sum`, 'summer....sum'],
  [`${'summer'.repeat(2)}!`, 'summer!'],
  // A repeat within a repeated part.
  [`${'red'.repeat(2)}X`.repeat(2), 'redX'],
  ['red'.repeat(2) + '-blue'.repeat(2), 'red-blue'],
])('repeats: %j is estimated as %j', (password, rest) => {
  expect(withoutRepeats(password)).toBe(rest);
});
