import { expect, test } from 'vitest';
import { oncePer } from './once-per.ts';

test('oncePer: computes once for each object', () => {
  const computed: object[] = [];
  const nameOf = oncePer((of: { readonly name: string }) => {
    computed.push(of);
    return { name: of.name };
  });
  const [one, equal] = [{ name: 'a' }, { name: 'a' }];
  expect(nameOf(one)).toBe(nameOf(one));
  expect(nameOf(equal)).toEqual({ name: 'a' });
  expect(computed).toEqual([one, equal]);
});
