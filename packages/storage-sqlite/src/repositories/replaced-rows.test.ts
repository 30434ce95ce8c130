import type { VerificationRecord } from '@countersign/domain/storage';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase } from '../../test-support/given-database.ts';
import { aCreateRequest } from '../../test-support/records.ts';
import { createSession } from '../connection/session.ts';
import { createVerificationRepository } from './verification-repository.ts';

const { record: STORED } = aCreateRequest(1);

/** Commits a change of the stored verification, and returns the record found and the statements that changed the row. */
async function committed(change: Partial<VerificationRecord>) {
  const statements: string[] = [];
  const connection = new Database(await givenDatabase(onTestFinished), {
    verbose: (sql) => statements.push(String(sql)),
  });
  onTestFinished(() => void connection.close());
  const repository = createVerificationRepository(createSession(connection, { waitMs: 0 }));
  const record = { ...STORED, ...change, version: STORED.version + 1 } as VerificationRecord;

  const { outcome } = await repository.commit({ record, expectedVersion: STORED.version, events: [] });

  const updates = statements.filter((sql) => sql.startsWith('update "verifications"'));
  return { outcome, record, found: await repository.findForAnyClient(STORED.id), updates, connection };
}

it('commit: a step writes the two indexes that have a column of it', async () => {
  const { found, record, updates, connection } = await committed({ currentStep: 1, answers: { consent: true } });
  const [update = '', ...more] = updates;
  const written = connection
    .prepare<[], { opcode: string }>(`EXPLAIN ${update}`)
    .all()
    .filter(({ opcode }) => opcode === 'IdxInsert');

  expect(found).toEqual(record);
  expect(written).toHaveLength(2);
  expect(more).toEqual([]);
});

it.each([
  ['another subject', { subjectReference: 'another' }],
  ['another type', { type: 'kyb', flowVersion: 7 }],
  ['another outcome of the sandbox', { sandboxOutcome: 'approved' }],
  ['an Idempotency-Key', { idempotencyKey: 'key', idempotencyFingerprint: 'print' }],
  ['another status', { status: 'submitted', submittedAt: new Date(5) }],
] as const)('commit: %s replaces the whole row', async (_, change) => {
  const { outcome, found, record } = await committed(change);

  expect(outcome).toBe('committed');
  expect(found).toEqual(record);
});
