import { expect, it } from 'vitest';
import { TEAM_MAILS } from './team-mails.ts';

const NOW = new Date('2026-03-01T10:00:00.000Z');
const LATER = new Date(NOW.getTime() + 1);

/** Returns what a mail about the endpoint or the key `id` says beside what every mail says. */
function factsOf(kind: keyof typeof TEAM_MAILS, id: string, url = ''): Promise<object | null> {
  const endpoint = { id: 'by-user', url, state: 'paused', failingSince: null };
  const key = { id: 'first', name: 'First', display: '', expiresAt: LATER, revokedAt: null };
  const sources = {
    endpointsOf: async () => [endpoint, { ...endpoint, id: 'failing', failingSince: NOW }],
    keysOf: async () => [key, { ...key, id: 'second', name: 'Second' }],
  };
  return TEAM_MAILS[kind].facts(sources, { clientId: 'client-1', targetId: id }, NOW);
}

it.each([
  ['https://hooks.example:8443/in?secret=1', 'hooks.example:8443'],
  ['http://localhost?secret=1', 'localhost'],
])('a mail about an endpoint with the URL %s names the host %s', async (url, host) => {
  expect(await factsOf('team.endpoint_paused', 'failing', url)).toEqual({ host, failingSince: NOW });
});

it('a mail about an endpoint that a user paused is not needed', async () => {
  expect(await factsOf('team.endpoint_paused', 'by-user')).toBeNull();
});

it('a mail about a key names that key, and is not needed without it', async () => {
  expect(await factsOf('team.key_expiring', 'second')).toMatchObject({ keyName: 'Second' });
  expect(await factsOf('team.key_expiring', 'removed')).toBeNull();
});
