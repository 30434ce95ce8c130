// Four processes issue keys on one file.
import { join } from 'node:path';
import { apiKeyState } from '@countersign/domain';
import { operate } from '@countersign/test-support/installation/operator';
import { start } from '@countersign/test-support/processes/child-process';
import { startServer } from '@countersign/test-support/processes/server-process';
import { expect, it } from 'vitest';

it('four processes request 40 keys concurrently: exactly 10 are issued', async () => {
  const server = await startServer();
  const { client } = await operate(server, ({ clients }) => clients.create({ name: 'Acme', plan: 'none' }));
  const script = join(import.meta.dirname, 'issue-keys.mjs');
  const processes = Array.from({ length: 4 }, () =>
    start(process.execPath, ['--conditions=source', script, server.databaseFile, client.id, '10']),
  );
  await Promise.all(processes.map((issuing) => issuing.says(/ready/)));

  for (const issuing of processes) issuing.signal('SIGUSR2');
  const ends = await Promise.all(processes.map(({ finished }) => finished));

  const outcomes = ends.flatMap(({ stdout }) => JSON.parse(stdout.split('\n')[1] ?? '') as string[]);
  expect(outcomes).toHaveLength(40);
  expect(outcomes.filter((outcome) => outcome === 'issued')).toHaveLength(10);
  expect(outcomes.filter((outcome) => outcome === 'API_KEY_LIMIT_REACHED')).toHaveLength(30);
  const keys = await operate(server, ({ apiKeys }) => apiKeys.list(client.id));
  expect(keys.map((key) => apiKeyState(key, new Date()))).toEqual(Array(10).fill('active'));
});
