import { createApiClient, newSubject } from '@countersign/test-support/api/api-client';
import { extent } from '@countersign/test-support/installation/extent';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { countWaitingMails } from '@countersign/test-support/installation/waiting-mails';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { createClock } from '@countersign/test-support/processes/clock';
import {
  NO_RATE_LIMITS,
  type ServerProcess,
  startServer,
} from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { startMailServer, type TestMailServer } from '@countersign/test-support/servers/mail-server';
import { expect, it } from 'vitest';

const MAILS = extent({ full: 1_000, short: 60 });
const KILLS = extent({ full: 10, short: 3 });
/** Longer than any wait on a slow machine: each step ends with an event, not with the time. */
const WITHIN_MS = extent({ full: 500_000, short: 120_000 });
const TIMEOUT_MS = extent({ full: 1_800_000, short: 300_000 });
/** Mails that a server has leased at a time: so many can be sent again after a kill. */
const LEASED = 20;
/** Longer than a lease, and than the pause after an outage. */
const LATER_MS = 6 * 60 * 1_000;
/** So often the clock is set forward for one state. */
const STEPS = 40;

const addressOf = (index: number) => `person-${index}@example.org`;

/** Creates verifications whose subjects receive mail. */
async function createMails({ baseUrl }: ServerProcess, key: string): Promise<void> {
  const api = createApiClient(baseUrl, key);
  for (let index = 0; index < MAILS; index += 1) {
    const body = { ...newSubject(`person ${index}`), notify: { email: addressOf(index) } };
    const { status } = await api.post(body);
    expect(status).toBe(201);
  }
}

/** Mails that wait, reminders of later days excepted. */
const countWaiting = (server: ServerProcess): Promise<number> =>
  countWaitingMails(server, "kind = 'verification.link'");

/**
 * Queues mails while the mail server is down, kills the server while it sends, and takes the mail server away once more. Expects each
 * mail at least once, and one `Message-ID` for each recipient.
 */
async function expectEachMail(database: Environment): Promise<void> {
  // After the start of the subscription, which has the clock of this process.
  const clock = createClock(new Date(Date.now() + LATER_MS).toISOString());
  const first = await startMailServer();
  const { port } = first;
  await first.stop();
  const env = {
    ...NO_RATE_LIMITS,
    ...database,
    ...clock.env,
    SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
    SMTP_URL: `smtp://localhost:${port}`,
    MAIL_FROM: 'Countersign <no-reply@verify.example>',
  };
  const mailServers: TestMailServer[] = [];
  const received = () => mailServers.flatMap((one) => one.received);
  const recipients = () => new Set(received().flatMap(({ to }) => to)).size;
  /** Sets the clock forward until a state is reached: mails of a killed server and of an outage are due later. */
  async function reach(isReached: () => boolean | Promise<boolean>): Promise<void> {
    for (let step = 1; step <= STEPS; step += 1) {
      clock.set(new Date(clock.now().getTime() + LATER_MS).toISOString());
      const reached = until(isReached, { withinMs: WITHIN_MS / STEPS }).then(
        () => true,
        () => false,
      );
      if (await reached) return;
    }
    throw new Error(`${recipients()} of ${MAILS} mails arrived`);
  }

  let server = await startServer({ env });
  const { key } = await givenClientOf(server, { monthlyLimit: 1_000_000 });
  await createMails(server, key);
  expect(await countWaiting(server)).toBe(MAILS);

  let mailServer = await startMailServer({ port });
  mailServers.push(mailServer);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const share = Math.ceil((kill * MAILS) / (KILLS + 1));
    await reach(() => recipients() >= share);
    await server.kill();
    const isOutage = kill === Math.ceil(KILLS / 2);
    if (isOutage) await mailServer.stop();
    server = await startServer({ dataDir: server.dataDir, env: server.env });
    if (!isOutage) continue;
    mailServer = await startMailServer({ port });
    mailServers.push(mailServer);
  }
  await reach(async () => (await countWaiting(server)) === 0);

  const ids = Map.groupBy(received(), ({ to }) => to.join());
  expect([...ids.keys()].toSorted()).toEqual(
    Array.from({ length: MAILS }, (_, index) => addressOf(index)).toSorted(),
  );
  for (const mails of ids.values()) expect(new Set(mails.map(({ parsed }) => parsed.messageId)).size).toBe(1);
  expect(new Set(received().map(({ parsed }) => parsed.messageId)).size).toBe(MAILS);
  const repeated = received().length - MAILS;
  expect(repeated).toBeLessThanOrEqual(KILLS * LEASED);
  console.info(`kill -9 while mails are sent: ${KILLS} kills, ${MAILS} mails, ${repeated} repeated`);
}

const PROMISE = `kill -9 while mails are sent: each is sent, with one Message-ID, ${KILLS} times`;

it(`${PROMISE}, on SQLite`, { timeout: TIMEOUT_MS }, async () => {
  await expectEachMail({});
});

describeWith(['postgres'], 'with Postgres', () => {
  it(PROMISE, { timeout: TIMEOUT_MS }, async () => {
    const postgres = await startPostgres({ fsync: false });
    await expectEachMail({ DATABASE_URL: await postgres.createDatabase() });
    await postgres.stop();
  });
});
