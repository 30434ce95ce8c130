import { createMemoryStorage } from '@countersign/memory';
import { expect, test, vi } from 'vitest';
import { createStatusNotes } from '../serve/status-file.ts';
import { createFigures } from './read-figures.ts';
import { createServiceStatus } from './service-status.ts';

const STARTED = new Date('2026-03-01T10:00:00Z');

function given({ isDown = false } = {}) {
  const { verifications, ...storage } = createMemoryStorage();
  const counts = { pending: 1, submitted: 2, action_needed: 0, approved: 0, rejected: 0 };
  const countByStatus = async () => {
    if (isDown) throw new Error('down');
    return counts;
  };
  const source = { ...storage, verifications: { ...verifications, countByStatus }, sizeBytes: async () => 1 };
  const read: unknown[] = [];
  const figures = createFigures({ storage: source, folders: {} }, (latest) => void read.push(latest));
  const notes = createStatusNotes(
    { version: '0.3.0', port: 1, dataDir: './not-written', trustedProxies: 0 },
    () => STARTED,
  );
  return { status: createServiceStatus({ notes, figures, storage }), notes, figures, read, storage };
}

test('read: has the version, the queues and each job before its first run', async () => {
  const { status, notes } = given();
  notes.jobsStarted([{ name: 'erase_data', run: async () => undefined, interval: { everyMs: 1 } }]);
  expect(await status.read()).toEqual({
    version: '0.3.0',
    startedAt: STARTED,
    figures: { submitted: 2, oldestSubmittedAt: null, unfinishedErasures: 0, pausedEndpoints: 0 },
    webhooks: { waiting: { count: 0, isExact: true }, oldestAt: null },
    mails: { waiting: { count: 0, isExact: true }, oldestAt: null },
    jobs: [{ name: 'erase_data', endedAt: null, ok: null, failures: 0 }],
  });
});

test.each([
  [10_000, { count: 10_000, isExact: true }],
  [10_001, { count: 10_000, isExact: false }],
])('read: of %i mails that wait, it says whether the count is exact', async (waiting, expected) => {
  const { status, storage } = given();
  vi.spyOn(storage.mails, 'backlog').mockImplementation(async ({ limit }) => ({
    waiting: Math.min(waiting, limit),
    oldestAt: null,
  }));
  expect((await status.read()).mails.waiting).toEqual(expected);
});

test('read: counts what the figures of metrics count, in one reading for calls at the same time', async () => {
  const { status, read } = given();
  await Promise.all([status.read(), status.read()]);
  expect(read).toHaveLength(1);
});

test('read: rejects while the figures cannot be read', async () => {
  await expect(given({ isDown: true }).status.read()).rejects.toThrow('down');
});
