// Kills servers that send mails, on each kind of database, and waits until each mail arrived.
import { createApiClient, newSubject } from '@countersign/test-support/api/api-client';
import { extent } from '@countersign/test-support/installation/extent';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { countWaitingMails } from '@countersign/test-support/installation/waiting-mails';
import { newTeamMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { createClock } from '@countersign/test-support/processes/clock';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { startMailServer, type TestMailServer } from '@countersign/test-support/servers/mail-server';
import { describe, expect, it } from 'vitest';

const MAILS = extent({ full: 1_000, short: 24 });
const KILLS = extent({ full: 10, short: 1 });
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

/** Mails to users of one client: a team may invite only so many in an hour. */
const PER_TEAM = 40;

/** Mails of one kind of recipients. */
interface Mails {
  readonly recipients: string;
  /** Condition in SQL that holds for these mails while they wait. */
  readonly waiting: string;
  /** Queues `MAILS` mails. Returns the addresses. */
  queue(server: ServerProcess): Promise<readonly string[]>;
}

const TO_SUBJECTS: Mails = {
  recipients: 'subjects',
  // Reminders of later days excepted.
  waiting: "kind = 'verification.link'",
  async queue(server) {
    const { key } = await givenClientOf(server, { monthlyLimit: 1_000_000 });
    const api = createApiClient(server.baseUrl, key);
    const addresses = Array.from({ length: MAILS }, (_, index) => addressOf(index));
    for (const email of addresses) {
      const { status } = await api.post({ ...newSubject(email), notify: { email } });
      expect(status).toBe(201);
    }
    return addresses;
  },
};

/** Creates a client and an owner who has confirmed the password. */
async function newTeam(server: ServerProcess): Promise<{ readonly clientId: string; readonly owner: StaffForms }> {
  const { clientId } = await givenClientOf(server);
  const owner = await newTeamMember(server, clientId);
  await owner.confirm();
  return { clientId, owner };
}

/** Each second mail is an invitation by an owner, the others are links to a new password that users ask for. */
const TO_USERS: Mails = {
  recipients: 'users',
  waiting: "kind LIKE 'user.%'",
  async queue(server) {
    const addresses: string[] = [];
    let team = await newTeam(server);
    for (let index = 0; index < MAILS; index += 2) {
      if (index > 0 && index % PER_TEAM === 0) team = await newTeam(server);
      const { clientId, owner } = team;
      const invited = { email: addressOf(index), name: `Person ${index}`, teamRole: 'viewer' };
      expect((await owner.post('/dashboard/team/invite', invited)).status).toBeLessThan(400);
      const forgetful = await newTeamMember(server, clientId, 'viewer');
      const { email } = forgetful;
      expect((await forgetful.post('/account/forgot-password', { email })).status).toBe(303);
      addresses.push(invited.email, email);
    }
    return addresses;
  },
};

/**
 * Queues mails while the mail server is down, kills the server while it sends, and takes the mail server away once more. Expects each
 * mail at least once, and one `Message-ID` for each recipient.
 */
async function expectEachMail(mails: Mails, database: Environment): Promise<void> {
  const countWaiting = (of: ServerProcess) => countWaitingMails(of, mails.waiting);
  // After the start of the subscription, which has the clock of this process.
  const clock = createClock(new Date(Date.now() + LATER_MS).toISOString());
  const first = await startMailServer();
  const { port } = first;
  await first.stop();
  const env = {
    ...database,
    ...clock.env,
    SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
    SMTP_URL: `smtp://localhost:${port}`,
    MAIL_FROM: 'Countersign <no-reply@verify.example>',
    TRUST_PROXY: '1',
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
  const addresses = await mails.queue(server);
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
  expect([...ids.keys()].toSorted()).toEqual(addresses.toSorted());
  for (const copies of ids.values()) expect(new Set(copies.map(({ parsed }) => parsed.messageId)).size).toBe(1);
  expect(new Set(received().map(({ parsed }) => parsed.messageId)).size).toBe(MAILS);
  const repeated = received().length - MAILS;
  expect(repeated).toBeLessThanOrEqual(KILLS * LEASED);
  console.info(
    `kill -9 while mails to ${mails.recipients} are sent: ${KILLS} kills, ${MAILS} mails, ${repeated} repeated`,
  );
}

describe.each([TO_SUBJECTS, TO_USERS])('kill -9 while mails to $recipients are sent', (mails) => {
  const PROMISE = `each is sent, with one Message-ID, ${KILLS} kills`;

  it(`${PROMISE}, on SQLite`, { timeout: TIMEOUT_MS }, async () => {
    await expectEachMail(mails, {});
  });

  describeWith(['postgres'], 'with Postgres', () => {
    it(PROMISE, { timeout: TIMEOUT_MS }, async () => {
      const postgres = await startPostgres({ fsync: false });
      await expectEachMail(mails, { DATABASE_URL: await postgres.createDatabase() });
      await postgres.stop();
    });
  });
});
