// Kills a server during creations and starts it again.
import { type ApiClient, createApiClient, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { idsIn, integrityOf, tallyOf } from '@countersign/test-support/installation/database-file';
import { extent } from '@countersign/test-support/installation/extent';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { describe, expect, it } from 'vitest';

const ROUNDS = extent({ full: 20, short: 2 });
/** No kill may meet a creation between its commit and its answer, so rounds are added until one does. */
const ROUNDS_AT_MOST = 20 * ROUNDS;
const AT_ONCE = 32;

/** The number of acknowledgements after which a round is killed: from the first commit to full load. */
const killAfter = (round: number) => 1 + ((round * 37) % 200);

interface Load {
  /** The ids of verifications created with 201, by reference. */
  readonly acknowledged: Map<string, string>;
  /** The references of requests without a response. */
  readonly unanswered: readonly string[];
}

/** Creates verifications continuously, and kills the server after the round's number of acknowledgements. */
async function createUntilKilled(api: ApiClient, server: ServerProcess, round: number): Promise<Load> {
  const acknowledged = new Map<string, string>();
  const unanswered: string[] = [];
  let killed: Promise<unknown> | undefined;
  let next = 0;
  const create = async () => {
    while (killed === undefined) {
      const reference = `round ${round}, subject ${next++}`;
      const answer = await api
        .post(newSubject(reference), { 'Idempotency-Key': reference })
        .catch(() => undefined);
      if (answer === undefined) unanswered.push(reference);
      else acknowledged.set(reference, idOf(answer));
      if (acknowledged.size >= killAfter(round)) killed ??= server.kill();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, create));
  await killed;
  return { acknowledged, unanswered };
}

describe('kill -9 during creates', () => {
  it(`loses no acknowledged verification and counts each once, at least ${ROUNDS} times`, {
    timeout: 600_000,
  }, async () => {
    let server = await startServer();
    const { dataDir, databaseFile } = server;
    const { clientId, key } = await givenClientOf(server, { monthlyLimit: 1_000_000 });
    const everAcknowledged = new Map<string, string>();
    let interrupted = 0;
    let lostAnswers = 0;

    for (let round = 0; round < ROUNDS || (lostAnswers === 0 && round < ROUNDS_AT_MOST); round++) {
      const load = await createUntilKilled(createApiClient(server.baseUrl, key), server, round);
      interrupted += load.unanswered.length;

      server = await startServer({ dataDir });
      const api = createApiClient(server.baseUrl, key);
      for (const [reference, id] of load.acknowledged) everAcknowledged.set(reference, id);

      // Acknowledged verifications are in the file and the API returns them.
      const kept = idsIn(databaseFile, clientId);
      const lost = [...everAcknowledged].filter(([, id]) => !kept.has(id));
      expect(lost, `lost in round ${round}`).toEqual([]);
      const [reference = '', id = ''] = [...load.acknowledged].at(-1) ?? [];
      expect((await api.get(`/verifications/${id}`)).body.data).toMatchObject({ id, subjectReference: reference });
      expectWhole(databaseFile, clientId);

      // Retrying a request without a response creates one verification, not two.
      for (const reference of load.unanswered) {
        const answer = await api.post(newSubject(reference), { 'Idempotency-Key': reference });
        if (answer.headers.get('idempotent-replayed') === 'true') lostAnswers++;
        everAcknowledged.set(reference, idOf(answer));
      }
      expect(expectWhole(databaseFile, clientId)).toBe(everAcknowledged.size);
    }

    // The kills interrupted creations, and some of these were committed.
    expect(interrupted).toBeGreaterThan(ROUNDS);
    expect(lostAnswers).toBeGreaterThan(0);
    console.info(
      `kill -9: ${everAcknowledged.size} acknowledged, ${interrupted} interrupted, ${lostAnswers} of them committed`,
    );
  });
});

/** Expects each row to be counted once, with its event, and an intact file. @returns the number of rows */
function expectWhole(databaseFile: string, clientId: string): number {
  const tally = tallyOf(databaseFile, clientId);
  expect(tally).toEqual({
    rows: tally.rows,
    used: tally.rows,
    counted: tally.rows,
    created: tally.rows,
    events: tally.rows,
  });
  expect(integrityOf(databaseFile)).toBe('ok');
  return tally.rows;
}
