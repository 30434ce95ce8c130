// Kills servers while they expire verifications, and starts them again.
import { atOnce, createApiClient, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { change, integrityOf, rowsOf, tallyOf } from '@countersign/test-support/installation/database-file';
import { extent } from '@countersign/test-support/installation/extent';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { expect, it } from 'vitest';

const KILLS = extent({ full: 20, short: 1 });
/** A server expires at most 50 in its first second, so that some are left after the last kill. */
const ABANDONED = KILLS * 55;
const OTHERS = 20;

const ABANDON = `
  UPDATE verifications SET requested_at = requested_at - 70 * 86400000, link_expires_at = link_expires_at - 70 * 86400000
  WHERE subject_reference LIKE 'abandoned%'`;

it(`kill -9 while verifications expire: each expires once, and no other does, ${KILLS} times`, {
  timeout: 300_000,
}, async () => {
  const first = await startServer();
  const { dataDir, databaseFile } = first;
  const { clientId, key } = await givenClientOf(first, { monthlyLimit: 1_000_000 });
  const api = createApiClient(first.baseUrl, key);
  const create = async (name: string) => idOf(await api.post(newSubject(name)));
  const abandoned = await atOnce(ABANDONED, (n) => create(`abandoned ${n}`));
  const others = await atOnce(OTHERS, (n) => create(`other ${n}`));
  await first.stop();
  change(databaseFile, ABANDON);

  const seen = [0];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const server = await startServer({ dataDir });
    await until(() => expiredIn(databaseFile) > (seen.at(-1) ?? 0));
    await server.kill();
    seen.push(expiredIn(databaseFile));
  }
  // The kills interrupted the job: some had expired before each, and some were left after the last.
  expect(seen.at(-1)).toBeLessThan(ABANDONED);
  const last = await startServer({ dataDir });
  await until(() => expiredIn(databaseFile) === ABANDONED);

  const histories = historiesIn(databaseFile);
  for (const id of abandoned) expect(histories.get(id)).toBe('pending created, rejected expired');
  for (const id of others) expect(histories.get(id)).toBe('pending created');
  const rows = ABANDONED + OTHERS;
  expect(tallyOf(databaseFile, clientId)).toEqual({
    rows,
    used: rows,
    counted: rows,
    created: rows,
    events: rows + ABANDONED,
  });
  expect(integrityOf(databaseFile)).toBe('ok');

  const again = createApiClient(last.baseUrl, key);
  expect((await again.post(newSubject('abandoned 0'))).status).toBe(201);
  expect((await again.post(newSubject('other 0'))).status).toBe(409);
  const { body } = await again.get(`/verifications/${abandoned[0]}/details`);
  expect(body.data).toMatchObject({
    status: 'rejected',
    decision: { reasonCodes: ['expired'] },
    history: [
      { status: 'pending', actor: 'client' },
      { status: 'rejected', actor: 'system' },
    ],
  });
});

function expiredIn(file: string): number {
  const [row] = rowsOf(file, "SELECT count(*) AS n FROM verification_events WHERE type = 'verification.expired'");
  return Number(row?.n);
}

/** Returns the status and type of each event of each verification, in order. */
function historiesIn(file: string): Map<string, string> {
  const histories = new Map<string, string>();
  for (const { id, status, type } of rowsOf(
    file,
    'SELECT verification_id AS id, status, type FROM verification_events ORDER BY verification_id, version',
  )) {
    const earlier = histories.get(String(id));
    const entry = `${String(status)} ${String(type).replace('verification.', '')}`;
    histories.set(String(id), earlier === undefined ? entry : `${earlier}, ${entry}`);
  }
  return histories;
}
