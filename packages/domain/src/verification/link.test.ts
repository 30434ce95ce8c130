import { expect, it } from 'vitest';
import type { Secrets } from '../runtime.ts';
import { createLinks } from './link.ts';

const secrets: Secrets = {
  randomHex: () => '',
  randomBase64: () => '',
  sha256: () => '',
  sign: (text) => `signed-${text}`.replaceAll('.', '_'),
  verify: (text, signature) => signature === `signed-${text}`.replaceAll('.', '_'),
  label: () => '',
};
const links = createLinks(secrets, 'https://verify.example');

it('has the base address, the id and a token of id and link version', () => {
  expect(links.url('id-1', 2)).toBe('https://verify.example/verify/id-1.signed-id-1_2');
});

it('opens only with the token of its id and version', () => {
  const reference = 'id-1.signed-id-1_2';
  expect(links.idIn(reference)).toBe('id-1');
  expect(() => links.check(reference, 'id-1', 2)).not.toThrow();
  for (const [id, version] of [
    ['id-1', 1],
    ['id-1', 3],
    ['id-2', 2],
  ] as const) {
    expect(() => links.check(reference, id, version)).toThrow(expect.objectContaining({ code: 'LINK_INVALID' }));
  }
});

it.each(['', '.', '.token', 'no-dot'])('refuses the reference %j', (reference) => {
  expect(() => links.idIn(reference)).toThrow(expect.objectContaining({ code: 'LINK_INVALID' }));
});

it('reads an id of a single character', () => {
  expect(links.idIn('a.token')).toBe('a');
});

it('of another kind has its own page, and opens no verification', () => {
  const others = createLinks(secrets, 'https://verify.example', { page: 'export', purpose: 'export.' });
  expect(others.url('id-1', 2)).toBe('https://verify.example/export/id-1.signed-export_id-1_2');
  expect(() => others.check('id-1.signed-export_id-1_2', 'id-1', 2)).not.toThrow();
  expect(() => links.check('id-1.signed-export_id-1_2', 'id-1', 2)).toThrow();
  expect(() => others.check('id-1.signed-id-1_2', 'id-1', 2)).toThrow();
});
