import { expectedPages, SKEWED_ROWS, skewedRow } from '@countersign/test-support/records/list-pages';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { CLIENT } from '../../test-support/records.ts';
import { createSession } from '../connection/session.ts';
import { createReaderThread } from '../reader/reader-thread.ts';
import type { RunLongRead } from './long-reads.ts';
import { createVerificationRepository } from './verification-repository.ts';

const ROWS = Array.from({ length: SKEWED_ROWS }, (_, n) => skewedRow(n));
let file: string;

beforeAll(async () => {
  file = await givenDatabase(afterAll, { verifications: 0 });
  const connection = rawConnection(afterAll, file);
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
});

it('list: pages of every order and filter are correct among 6,000 skewed verifications', async () => {
  const connection = rawConnection(afterAll, file);
  const reader = createReaderThread(file);
  afterAll(reader.close);
  const apart = vi.fn<RunLongRead>(reader.run);
  const repository = createVerificationRepository(createSession(connection, { waitMs: 0 }), apart);

  for (const { query, ...expected } of expectedPages(ROWS)) {
    const { records, totalCount } = await repository.list(CLIENT.id, query);
    expect({ ids: records.map(({ id }) => id), totalCount }, JSON.stringify(query)).toEqual(expected);
  }
  // Sorting thousands by step takes long, the first page of the default order does not.
  const sortFields = new Set(apart.mock.calls.map(([, , { sortBy }]) => sortBy));
  expect(sortFields).toContain('currentStep');
  expect(sortFields).not.toContain('requestedAt');
});
