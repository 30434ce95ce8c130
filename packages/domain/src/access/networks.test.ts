import { expect, test } from 'vitest';
import { canonicalNetwork, isInNetworks, NETWORK_TEXT_MAX } from './networks.ts';

test.each([
  ['203.0.113.7', '203.0.113.7/32'],
  ['203.0.113.77/24', '203.0.113.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['255.255.255.255/32', '255.255.255.255/32'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1/128'],
  ['2001:db8::ffff/32', '2001:db8::/32'],
  ['::/0', '::/0'],
  ['::1', '::1/128'],
  ['1::', '1::/128'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1/128'],
  ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1/128'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1/128'],
  ['::ffff:203.0.113.7', '203.0.113.7/32'],
  ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
  ['::ffff:0:0/96', '0.0.0.0/0'],
  ['::ffff:0:0/80', '::/80'],
  ['64:ff9b::203.0.113.7', '64:ff9b::cb00:7107/128'],
])('%s is %s', (text, canonical) => {
  expect(canonicalNetwork(text)).toBe(canonical);
  expect(canonicalNetwork(canonical)).toBe(canonical);
  expect(text.length).toBeLessThanOrEqual(NETWORK_TEXT_MAX);
});

test.each([
  '',
  'shop.example',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.07',
  '203.0.113.0/33',
  '203.0.113.0/-1',
  '203.0.113.0/08',
  '203.0.113.0/',
  '203.0.113.0/24/1',
  '203.0.113.0/2e1',
  '203.0.113.0-203.0.113.9',
  ' 203.0.113.7',
  '2001:db8::/129',
  '2001:db8:::1',
  '1:2:3:4:5:6:7:8:9',
  '[2001:db8::1]',
  'fe80::1%eth0',
  '2001:db8::g',
])('%j is not a network', (text) => {
  expect(canonicalNetwork(text)).toBeNull();
});

test.each<[address: string, network: string, isIn: boolean]>([
  ['203.0.113.0', '203.0.113.0/24', true],
  ['203.0.113.255', '203.0.113.0/24', true],
  ['203.0.114.0', '203.0.113.0/24', false],
  ['203.0.112.255', '203.0.113.0/24', false],
  ['203.0.113.7', '203.0.113.7/32', true],
  ['203.0.113.8', '203.0.113.7/32', false],
  ['198.51.100.1', '0.0.0.0/0', true],
  ['2001:db8::1', '0.0.0.0/0', false],
  ['198.51.100.1', '::/0', false],
  ['2001:db8:0:0:ffff::', '2001:db8::/32', true],
  ['2001:db9::', '2001:db8::/32', false],
  ['fe80::1%eth0', 'fe80::/10', true],
  ['::ffff:203.0.113.7', '203.0.113.0/24', true],
  ['::FFFF:CB00:7107', '203.0.113.0/24', true],
  ['::ffff:203.0.113.7', '::/0', false],
  ['203.0.113.7/24', '203.0.113.0/24', false],
  ['', '0.0.0.0/0', false],
  ['unknown', '::/0', false],
  ['203.0.113.7', 'unknown', false],
])('%s in %s: %s', (address, network, isIn) => {
  expect(isInNetworks(address, [network])).toBe(isIn);
  expect(isInNetworks(address, ['192.0.2.1/32', network])).toBe(isIn);
});

test('no address is in an empty list', () => {
  expect(isInNetworks('203.0.113.7', [])).toBe(false);
});
