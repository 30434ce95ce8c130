import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createPeerAddress } from './peer-address.ts';

const from = (forwarded?: string, remoteAddress: string | undefined = '10.0.0.1') => ({
  headers: { 'x-forwarded-for': forwarded },
  socket: { remoteAddress } as Socket,
});

test('peerAddress: ignores X-Forwarded-For without trusted proxies, and says so', () => {
  const sources: string[] = [];
  const peerAddress = createPeerAddress(0, (source) => sources.push(source));
  expect(peerAddress(from('203.0.113.9'))).toBe('10.0.0.1');
  expect(peerAddress(from())).toBe('10.0.0.1');
  expect(sources).toEqual(['ignored_forwarding', 'peer']);
});

test('peerAddress: says whether every trusted proxy has added an address', () => {
  const sources: string[] = [];
  const peerAddress = createPeerAddress(2, (source) => sources.push(source));
  for (const forwarded of ['192.0.2.1, 10.0.0.2', '10.0.0.2', undefined, 'unknown, 10.0.0.2'])
    peerAddress(from(forwarded));
  expect(sources).toEqual(['proxy', 'missing_forwarding', 'missing_forwarding', 'missing_forwarding']);
});

test.each([
  ['one proxy: returns the last entry', 1, '203.0.113.9', '203.0.113.9'],
  ['one proxy: ignores entries that the client wrote', 1, '192.0.2.66, 203.0.113.9', '203.0.113.9'],
  ['two proxies: returns the last but one entry', 2, '192.0.2.66, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['fewer entries than proxies: returns the first entry', 3, '203.0.113.9', '203.0.113.9'],
  ['no header: returns the address of the connection', 1, undefined, '10.0.0.1'],
  ['an empty header: returns the address of the connection', 1, '', '10.0.0.1'],
  ['an invalid last entry: returns the address of the connection', 1, '203.0.113.9, unknown', '10.0.0.1'],
  ['an invalid entry left of a trusted proxy: returns the proxy’s address', 2, 'nonsense, 10.0.0.2', '10.0.0.2'],
  ['IPv4 with a port', 1, '203.0.113.9:4711', '203.0.113.9'],
  ['IPv6', 1, '2001:db8::1', '2001:db8::1'],
  ['IPv6 with a port', 1, '[2001:db8::1]:4711', '2001:db8::1'],
  ['IPv6 in brackets', 1, '[2001:db8::1]', '2001:db8::1'],
  ['entries without spaces', 2, '192.0.2.66,203.0.113.9,10.0.0.2', '203.0.113.9'],
])('peerAddress: %s', (_, proxies, forwarded, expected) => {
  expect(createPeerAddress(proxies)(from(forwarded))).toBe(expected);
});

test('peerAddress: returns `unknown` for a closed connection', () => {
  const gone = { headers: {}, socket: {} as Socket };
  expect(createPeerAddress(0)(gone)).toBe('unknown');
});
