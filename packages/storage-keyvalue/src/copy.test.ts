import { expect, it } from 'vitest';
import { copyOf } from './copy.ts';

it('copy: equals the value and shares nothing with it', () => {
  const value = {
    text: 'a',
    number: 1,
    yes: true,
    nothing: null,
    missing: undefined,
    date: new Date(5),
    bytes: new Uint8Array([1, 2]),
    map: new Map([['a', { deep: [1] }]]),
    list: [{ deep: ['x'] }, new Date(6)],
  };
  const copy = copyOf(value);

  expect(copy).toStrictEqual(value);
  expect(copy.date).not.toBe(value.date);
  expect(copy.bytes).not.toBe(value.bytes);
  expect(copy.map.get('a')).not.toBe(value.map.get('a'));
  expect(copy.list).not.toBe(value.list);
  expect(copy.list[0]).not.toBe(value.list[0]);
  expect(copy.list[1]).not.toBe(value.list[1]);
});

it('copy: an own property named `__proto__` stays one', () => {
  const value: unknown = JSON.parse('{"__proto__":{"isAdmin":true},"a":1}');
  const copy = copyOf(value);

  expect(JSON.stringify(copy)).toBe('{"__proto__":{"isAdmin":true},"a":1}');
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

it('copy: refuses what cannot be stored', () => {
  expect(() => copyOf({ call: () => 1 })).toThrow('could not be cloned');
});
