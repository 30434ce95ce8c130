// Reads every page of 6,000 skewed verifications in each order and filter.
import type { SortField } from '@countersign/domain';
import type { VerificationRepository } from '@countersign/domain/storage';
import { expectedPages, SKEWED_ROWS, skewedRow } from '@countersign/test-support/records/list-pages';
import { LIST } from '@countersign/test-support/records/queries';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { CLIENT } from '../../test-support/records.ts';
import { createSession } from '../connection/session.ts';
import { createReaderThread } from '../reader/reader-thread.ts';
import { listedVerification } from '../rows/rows.ts';
import type { RunLongRead } from './long-read-kinds.ts';
import { createVerificationRepository } from './verification-repository.ts';

const ROWS = Array.from({ length: SKEWED_ROWS }, (_, n) => skewedRow(n));
let file: string;

beforeAll(async () => {
  const cleanups: (() => void)[] = [];
  const afterwards = (clean: () => void) => void cleanups.push(clean);
  file = await givenDatabase(afterwards, { verifications: 0 });
  const connection = rawConnection(afterwards, file);
  const insert = connection.prepare(`
    INSERT INTO verifications (client_id, id, type, subject_reference, status, requested_at, resolved_at, current_step,
      version, link_version, link_expires_at, metadata, answers, review_data, flow_version, event_count)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 1, 1, '{}', '{}', '{}', 1, 1)`);
  connection.transaction(() => {
    for (const { id, type, subjectReference, status, requestedAt, resolvedAt, currentStep } of ROWS) {
      const times = [requestedAt.getTime(), resolvedAt?.getTime() ?? null];
      insert.run(CLIENT.id, id, type, subjectReference, status, ...times, currentStep);
    }
  })();
  return () => {
    for (const clean of cleanups.toReversed()) clean();
  };
});

it('list: pages of every order and filter are correct among 6,000 skewed verifications, also read apart', async () => {
  const reader = createReaderThread(file);
  onTestFinished(reader.close);
  const apart = vi.fn<() => Promise<never>>();
  const repository = givenRepository(apart);

  for (const { query, ...expected } of expectedPages(ROWS)) {
    const page = await repository.list(CLIENT.id, query);
    const { rows, totalCount } = await reader.run('list', CLIENT.id, query);
    const pages = [page, { records: rows.map(listedVerification), totalCount }];
    for (const { records, totalCount } of pages) {
      expect({ ids: records.map(({ id }) => id), totalCount }, JSON.stringify(query)).toEqual(expected);
    }
  }
  expect(apart).not.toHaveBeenCalled();
});

it('list: pages that would read many index entries are read apart', async () => {
  rawConnection(onTestFinished, file).exec(
    'UPDATE verification_counts SET approved = approved + 1000, pending = pending + 1000',
  );
  const page = { rows: [], totalCount: 7 };
  const repository = givenRepository(async () => page);
  const totalBy = async (sortBy: SortField, offset: number) =>
    (await repository.list(CLIENT.id, { ...LIST, sortBy, offset })).totalCount;

  expect(await totalBy('subjectReference', 11_000)).toBe(7);
  expect(await totalBy('resolvedAt', 11_000)).toBe(7);
  expect(await totalBy('currentStep', 11_000)).toBe(7);
  expect(await totalBy('resolvedAt', 0)).toBeGreaterThan(7);
  expect(await totalBy('requestedAt', 11_000)).toBeGreaterThan(7);
});

it('list: the first page by step is read apart only if many pending verifications are begun', async () => {
  const connection = rawConnection(onTestFinished, file);
  connection.exec('UPDATE verification_counts SET pending = pending + 20000');
  const apart = vi.fn<() => Promise<never>>().mockRejectedValue(new Error('apart'));
  const firstPage = () => givenRepository(apart).list(CLIENT.id, { ...LIST, sortBy: 'currentStep' });

  const { totalCount } = await firstPage();
  expect(totalCount).toBeGreaterThan(20_000);
  expect(apart).not.toHaveBeenCalled();

  connection.exec(`
    UPDATE verifications
    SET subject_reference = id, status = 'pending', resolved_at = NULL, current_step = 1 WHERE rowid <= 4000`);
  await expect(firstPage()).rejects.toThrow('apart');
});

function givenRepository(runApart: RunLongRead): VerificationRepository {
  return createVerificationRepository(createSession(rawConnection(onTestFinished, file), { waitMs: 0 }), runApart);
}
