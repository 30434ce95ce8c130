import { expectedPages, SKEWED_ROWS, skewedRow } from '@countersign/test-support/records/list-pages';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../../test-support/raw.ts';
import { CLIENT } from '../../test-support/records.ts';
import { createPostgresStorage } from '../postgres-storage.ts';

const ROWS = Array.from({ length: SKEWED_ROWS }, (_, n) => skewedRow(n));

describeWith(['postgres'], 'lists of 6,000 skewed verifications', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());

  it('list: pages of every order and filter are correct', async () => {
    const url = await server.createDatabase();
    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());
    await storage.clients.create({ client: CLIENT, subscription: null });
    const raw = rawConnection(onTestFinished, url);
    await raw.unsafe(INSERT, [CLIENT.id, JSON.stringify(ROWS)]);
    await raw.unsafe('analyze');

    for (const { query, ...expected } of expectedPages(ROWS)) {
      const { records, totalCount } = await storage.verifications.list(CLIENT.id, query);
      expect({ ids: records.map(({ id }) => id), totalCount }, JSON.stringify(query)).toEqual(expected);
    }
  });
});

const INSERT = `
  insert into verifications (client_id, id, type, subject_reference, status, requested_at, resolved_at, current_step,
    version, link_version, link_expires_at, metadata, answers, review_data, flow_version, event_count)
  select $1, id, type, "subjectReference", status, "requestedAt", "resolvedAt", "currentStep",
    1, 1, now(), '{}', '{}', '{}', 1, 1
  from json_to_recordset($2::text::json) as row (id uuid, type text, "subjectReference" text, status text,
    "requestedAt" timestamptz, "resolvedAt" timestamptz, "currentStep" int)`;
