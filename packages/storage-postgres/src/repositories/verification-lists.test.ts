// Pages through 6,000 rows in every order and with every filter.
import { expectedPages, SKEWED_ROWS, skewedRow } from '@countersign/test-support/records/list-pages';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { insertListed } from '../../test-support/listed-rows.ts';
import { rawConnection } from '../../test-support/raw.ts';
import { CLIENT } from '../../test-support/records.ts';
import { createPostgresStorage } from '../postgres-storage.ts';

const ROWS = Array.from({ length: SKEWED_ROWS }, (_, n) => skewedRow(n));

describeWith(['postgres'], 'lists of 6,000 skewed verifications', () => {
  const server = givenPostgres();

  it('list: pages of every order and filter are correct', async () => {
    const url = await server.createDatabase();
    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());
    await storage.clients.create({ client: CLIENT, subscription: null });
    const raw = rawConnection(onTestFinished, url);
    await insertListed(raw, ROWS);
    await raw.unsafe('analyze');

    for (const { query, ...expected } of expectedPages(ROWS)) {
      const { records, totalCount } = await storage.verifications.list(CLIENT.id, query);
      expect({ ids: records.map(({ id }) => id), totalCount }, JSON.stringify(query)).toEqual(expected);
    }
  });
});
