import { expect, it } from 'vitest';
import { aClient } from '../../test-support/client.ts';
import type { AppearanceOutcome, ClientAppearanceRepository } from './appearance-repository.ts';
import { type ClientAppearance, type Logo, NO_APPEARANCE } from './client-appearance.ts';
import { LOGO_MAX_BYTES } from './logo-intake.ts';
import { createManageAppearances } from './manage-appearances.ts';

const CLIENTS = [aClient({ id: 'live' }), aClient({ id: 'twin', testOf: 'live' })];
const SET: ClientAppearance = { ...NO_APPEARANCE, displayName: 'Acme Pay' };
const CLIENT_NOT_FOUND = { code: 'CLIENT_NOT_FOUND' };
const UPLOAD = { content: new ReadableStream<Uint8Array>() };

/** The service for a client in live use and its test twin, and what it reads and writes. */
function given(appearance: ClientAppearance | null, { logoBytes = 3, withLogos = true } = {}) {
  const read: string[] = [];
  const written: (Logo | null)[] = [];
  const logo: Logo = { id: 'logo-1', width: 1, height: 1, content: new Uint8Array(logoBytes) };
  const changed = (id: string): AppearanceOutcome =>
    id === 'live' ? { outcome: 'changed', appearance: SET } : { outcome: 'client_not_found' };
  const appearances: ClientAppearanceRepository = {
    find: async (id) => {
      read.push(id);
      return id === 'live' ? appearance : null;
    },
    setDetails: async (id) => changed(id),
    setLogo: async (id, logo) => {
      written.push(logo);
      return changed(id);
    },
    logoContent: async (id, logoId) => (id === 'live' && logoId === logo.id ? logo.content : null),
  };
  const service = createManageAppearances({
    appearances,
    clients: {
      find: async (id) => {
        read.push(`client ${id}`);
        const client = CLIENTS.find((each) => each.id === id);
        return client === undefined ? null : { client, subscription: null };
      },
    },
    logos: withLogos ? { receiveLogo: async () => logo } : undefined,
  });
  return { service, read, written, logo };
}

it('get: returns what the client has set without reading the client', async () => {
  const { service, read } = given(SET);
  expect(await service.get('live')).toEqual(SET);
  expect(read).toEqual(['live']);
});

it('get: a client that has set nothing has no appearance, and an unknown client is CLIENT_NOT_FOUND', async () => {
  const { service } = given(null);
  expect(await service.get('live')).toEqual(NO_APPEARANCE);
  await expect(service.get('unknown')).rejects.toMatchObject(CLIENT_NOT_FOUND);
});

it('shown: a test twin shows the appearance of its client, and an unknown client shows nothing', async () => {
  const { service, read } = given(SET);
  const { displayName: name, ...more } = SET;
  const expected = { ...more, name, clientId: 'live' };
  expect(await service.shown('live')).toEqual(expected);
  expect(read).toEqual(['client live', 'live']);
  expect(await service.shown('twin')).toEqual(expected);
  expect(await service.shown('unknown')).toBeNull();
});

it('shown: a client without a display name has its own name', async () => {
  expect(await given(null).service.shown('live')).toMatchObject({ name: 'Acme', logo: null });
});

it('logo: returns the content of the current logo', async () => {
  const { service, logo } = given(SET);
  expect(await service.logo('live', 'logo-1')).toBe(logo.content);
});

it('replaceLogo: stores the re-encoded logo of at most 64 KiB, and removeLogo removes it', async () => {
  const { service, written, logo } = given(SET, { logoBytes: LOGO_MAX_BYTES });
  expect(await service.replaceLogo('live', UPLOAD)).toEqual(SET);
  expect(await service.removeLogo('live')).toEqual(SET);
  expect(written).toEqual([logo, null]);
});

it.each([
  ['a larger logo', { logoBytes: LOGO_MAX_BYTES + 1 }, 'The re-encoded logo is too large'],
  ['every logo without the port', { withLogos: false }, 'The port `logos` is missing'],
])('replaceLogo: refuses %s and stores nothing', async (_what, settings, message) => {
  const { service, written } = given(SET, settings);
  await expect(service.replaceLogo('live', UPLOAD)).rejects.toThrow(message);
  expect(written).toEqual([]);
});

it('a change of an unknown client is CLIENT_NOT_FOUND', async () => {
  const { service } = given(null);
  await expect(service.change('unknown', {})).rejects.toMatchObject(CLIENT_NOT_FOUND);
  await expect(service.replaceLogo('unknown', UPLOAD)).rejects.toMatchObject(CLIENT_NOT_FOUND);
});
