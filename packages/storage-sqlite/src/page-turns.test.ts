import { setImmediate as nextIteration } from 'node:timers/promises';
import { AUDIT, BROWSE, LIST, QUEUE } from '@countersign/test-support/records/queries';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase } from '../test-support/given-database.ts';
import { CLIENT } from '../test-support/records.ts';
import { createSqliteStorage, type SqliteStorage } from './sqlite-storage.ts';

const CLIENTS = { namePrefix: '', after: undefined, limit: 1, countUpTo: 1_000 };

const PAGES: readonly [name: string, readPage: (storage: SqliteStorage) => Promise<unknown>][] = [
  ['a list', ({ verifications }) => verifications.list(CLIENT.id, { ...LIST, limit: 1 })],
  [
    'a list of one subject',
    ({ verifications }) => verifications.list(CLIENT.id, { ...LIST, subjectReference: 'a', limit: 1 }),
  ],
  ['the dashboard and exports', ({ verifications }) => verifications.browse(CLIENT.id, { ...BROWSE, limit: 1 })],
  [
    "the reviewers' queue",
    ({ verifications }) => verifications.queue({ ...QUEUE, status: 'submitted', limit: 1 }),
  ],
  ['the audit log', ({ audit }) => audit.list({ ...AUDIT, limit: 1 })],
  ['the clients by name', ({ clients }) => clients.search(CLIENTS)],
  ['audit verify', ({ audit }) => audit.read(0, 1)],
  ['keys rotate', ({ dataKeys }) => dataKeys.listNotWrappedBy('newest', null, 1)],
  ['the sandbox', ({ verifications }) => verifications.dueInSandbox(1)],
];

it.each(PAGES)('page after page of %s: other work runs in between', async (_, readPage) => {
  const storage = await createSqliteStorage({ file: await givenDatabase(onTestFinished) });
  onTestFinished(storage.close);
  let pages = 0;
  let isOver = false;
  const others = nextIteration().then(() => {
    isOver = true;
    return pages;
  });

  // Without turns, these would be read before anything else runs.
  while (!isOver && pages < 1_000) {
    await readPage(storage);
    pages += 1;
  }

  expect(await others).toBeLessThan(5);
});
