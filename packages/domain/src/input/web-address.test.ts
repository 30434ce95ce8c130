import { expect, it } from 'vitest';
import { isHostName, readWebAddress } from './web-address.ts';

it('readWebAddress: the highest port is 65535', () => {
  const read = (port: number) => readWebAddress(`https://a.example:${port}`, { max: 100, badHost: 'is no host' });
  expect(read(65_535)).toMatchObject({ port: '65535' });
  expect(read(65_536)).toEqual({ message: 'is no host', code: 'invalid' });
});

it.each(['shop.a1', 'shop.1a', 'shop.a0x1', 'shop.0x1g'])('isHostName: %s is a name', (host) => {
  expect(isHostName(host)).toBe(true);
});

it.each(['shop.1', 'shop.0x1f', 'shop.0x'])('isHostName: %s ends in a number', (host) => {
  expect(isHostName(host)).toBe(false);
});
