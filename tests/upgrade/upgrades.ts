import { readdirSync } from 'node:fs';
import { WEBHOOK_TYPES } from '@countersign/domain/webhooks';
import { createApiClient, dataOf, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { extent } from '@countersign/test-support/installation/extent';
import { rowsIn } from '@countersign/test-support/installation/rows-in';
import { startRecordingReceiver } from '@countersign/test-support/load/webhook-receivers';
import { card } from '@countersign/test-support/pages/pictures';
import { type FormFields, type StaffForms, signInAgain } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import type { Environment } from '@countersign/test-support/processes/child-process';
import type { SettableClock } from '@countersign/test-support/processes/clock';
import {
  countersign,
  countersignHere,
  runCountersignHere,
} from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KeptInstallation, type Kind, readAll, readKept, versionHas } from './kept-installation.ts';
import { clockOf, placeOf } from './kept-place.ts';
import { isMigratedSince } from './migration-files.ts';
import { signInWithDevice } from './second-factor.ts';

/** Another one than those that are kept: a file has one place only. */
const PICTURE = new Uint8Array(await card('After the upgrade'));

/** Upgrades the installation that each of these versions kept on a kind of database, and expects everything to be there and to go on. */
export function describeUpgrades(kind: Kind, versions: readonly string[]): void {
  describeWith(kind === 'postgres' ? ['postgres'] : [], `an installation of an earlier version on ${kind}`, () => {
    let postgres: PostgresServer | undefined;
    beforeAll(async () => {
      if (kind === 'postgres') postgres = await startPostgres({ fsync: false });
    });
    afterAll(() => postgres?.stop());

    it.each(versions)(
      'made by %s is upgraded: everything is there, and an endpoint receives what happens then',
      async (version) => {
        const kept = readKept(version, kind);
        const clock = clockOf(kept);
        const place = await placeOf(version, kind, postgres);
        const env = { ...place, ...clock.env, SECRET_KEYS: kept.secretKeys };
        const server = await startServer({ dataDir: place.DATA_DIR, env });

        expect(copiesIn(place.DATA_DIR)).toHaveLength(kind === 'sqlite' && isMigratedSince(version) ? 1 : 0);
        const reviewer = await expectAllThere(server, kept, clock);
        if (!versionHas(version, 'testTwins')) await expectSandboxIsTestTwin(server);
        await expectFlowAsBefore(server, kept, version);
        // With this machine's clock, because it compares that with the clock of Postgres.
        const opened = { ...place, SECRET_KEYS: kept.secretKeys, READER: 'off' };
        await expectIndexIsFilled(server, { kept, reviewer, opened, version });
        await expectFlowsContinue(server, kept);
        await expectRedoContinues(server, kept);
        const receiver = await startRecordingReceiver();
        const settings = ['--name', 'shop', '--url', receiver.url, '--types', WEBHOOK_TYPES.join()];
        // In a process of its own: it has the clock of the server.
        await countersign(['webhook', 'create', '--client', kept.clientId, ...settings], server.env);
        const created = await expectWorkContinues(server, kept);

        await until(() => receiver.webhooks.length === 2);
        expect(receiver.webhooks.map(({ body }) => aboutIn(body)).toSorted()).toEqual([
          `verification.created ${created}`,
          `verification.submitted ${kept.ids.unfinished}`,
        ]);

        const log = await countersignHere<{ outcome: string; head: { sequence: number } }>(
          ['audit', 'verify'],
          server.env,
        );
        expect(log.outcome).toBe('intact');
        expect(log.head.sequence).toBeGreaterThan(kept.auditLines);
        // A running server counts the requests of forms, which name a proxy that it does not trust.
        await server.stop();
        const { stdout } = await runCountersignHere(['doctor', '--json'], opened);
        expect(JSON.parse(stdout)).toMatchObject({
          problems: [],
          counts: { differing: 0 },
          verifications: { missingFiles: 0 },
        });
      },
    );
  });
}

/** The demo client of a version without test twins: a client could be a sandbox, and it was one. */
const SANDBOX_ID = '00000000-0000-7000-8000-00000000de30';

/** Expects the sandbox to be the test twin of a new client without a subscription, which has its users. */
async function expectSandboxIsTestTwin({ env }: { readonly env: Environment }): Promise<void> {
  const clients = await countersignHere<
    { id: string; name: string; testId: string | null; subscription: unknown }[]
  >(['client', 'list'], env);
  const live = clients.find(({ testId }) => testId === SANDBOX_ID);
  expect(live).toMatchObject({ name: 'Demo', subscription: null });
  expect(clients.map(({ id }) => id)).not.toContain(SANDBOX_ID);
  const users = await countersignHere<{ email: string; clientId: string | null }[]>(['user', 'list'], env);
  const ofTwin = users.filter(({ clientId }) => clientId === SANDBOX_ID);
  expect(ofTwin).toEqual([]);
  expect(users.find(({ email }) => email === 'team@demo.example')?.clientId).toBe(live?.id);
  const keys = await countersignHere<object[]>(['key', 'list', '--client', SANDBOX_ID], env);
  expect(keys).toHaveLength(1);
}

/** Expects a client from before the settings of flows to ask for everything, and each other one for neither. */
async function expectFlowAsBefore(
  { env }: ServerProcess,
  { clientId }: KeptInstallation,
  version: string,
): Promise<void> {
  const flow = async (id: string) => countersignHere<{ settings: object }>(['client', 'flow', id], env);
  const none = {
    minimumAge: null,
    linkDays: null,
    decisionWithin: null,
    readingIsAdvice: false,
    familyNameIndex: false,
    warningsInDetails: false,
    dueHours: null,
  };
  const asks = !versionHas(version, 'flowSettings');
  expect((await flow(clientId)).settings).toEqual({ placeOfBirth: asks, proofOfAddress: asks, ...none });
  const made = await countersignHere<{ id: string }>(['client', 'create', '--name', 'New', '--plan', 'none'], env);
  expect((await flow(made.id)).settings).toEqual({ placeOfBirth: false, proofOfAddress: false, ...none });
}

/** Returns the copies of the database that were made before it was migrated. */
const copiesIn = (dataDir: string): string[] => readdirSync(dataDir).filter((name) => name.includes('.before-'));

async function expectAllThere(
  server: ServerProcess,
  kept: KeptInstallation,
  clock: SettableClock,
): Promise<StaffForms> {
  const reviewer = await signInWithDevice(server, kept.reviewer, clock.now());
  const owner = await signInAgain(server, kept.owner);

  expect(await readAll(server, kept.key, reviewer)).toMatchObject(kept.shown);
  expect((await owner.get('/dashboard')).status).toBe(200);
  expect(await createApiClient(server.baseUrl, kept.revokedKey).get()).toMatchObject({ status: 401 });
  await reviewer.act(kept.ids.submitted, 'approve');
  const approved = await createApiClient(server.baseUrl, kept.key).get(`/verifications/${kept.ids.submitted}`);
  expect(dataOf(approved).status).toBe('approved');
  return reviewer;
}

/**
 * Expects the doctor to name the command that labels what was submitted before, and the index to find a case of the earlier version from
 * then on: by a search, and for the warnings of a new case.
 */
async function expectIndexIsFilled(
  server: ServerProcess,
  {
    kept,
    reviewer,
    opened,
    version,
  }: { kept: KeptInstallation; reviewer: StaffForms; opened: Environment; version: string },
): Promise<void> {
  const isLabelled = versionHas(version, 'labels');
  const decided = [kept.shown.details]
    .flat()
    .filter((details) => ['submitted', 'approved', 'rejected'].includes(textAt(details, ['status'])));
  expect(decided.length).toBeGreaterThan(2);
  const behind = isLabelled ? 0 : decided.length;
  const { stdout } = await runCountersignHere(['doctor'], opened);
  expect(stdout).toContain(`Blind indexes: verifications without current labels ${behind}`);
  expect(stdout.includes('(run countersign index rebuild)')).toBe(!isLabelled);
  const api = createApiClient(server.baseUrl, kept.key);
  const old = kept.ids.submitted;
  const { submittedData } = dataOf(await api.get(`/verifications/${old}/details`));
  const answer = (step: string, field: string) => textAt(submittedData, [step, field]);
  const searches = [
    { query: answer('document', 'number') },
    {
      query: `${answer('person', 'firstName')} ${answer('person', 'lastName')}`,
      birthDate: answer('person', 'dateOfBirth'),
    },
  ];
  const isFound = async (search: FormFields) =>
    (await (await reviewer.post('/review/search', search)).text()).includes(`/review/${old}"`);
  for (const search of searches) expect([search, await isFound(search)]).toEqual([search, isLabelled]);

  const rebuilt = await countersignHere(['index', 'rebuild'], server.env);
  expect(rebuilt).toMatchObject({ labelled: behind, unreadable: 0 });

  for (const search of searches) expect([search, await isFound(search)]).toEqual([search, true]);
  expect((await runCountersignHere(['doctor'], opened)).stdout).not.toContain('countersign index rebuild');
  const created = await api.post(newSubject('another person'));
  const picture = new Uint8Array(await card('Another person'));
  const forms = await openSubjectForms(String(dataOf(created).verificationUrl), 'kyc');
  const name = { firstName: 'Otto', lastName: 'Other' };
  await forms.walk({ answers: { name }, file: () => new Blob([picture]) });
  const id = idOf(created);
  expect(dataOf(await api.get(`/verifications/${id}/details`))).toMatchObject({
    submittedData: {
      document: { number: answer('document', 'number'), issuingCountry: answer('document', 'issuingCountry') },
    },
  });
  const warned = `SELECT 1 FROM verifications WHERE id = '${id}' AND severity = 'warning'`;
  await until(async () => (await rowsIn(server, warned)).length === 1);
  expect(await (await reviewer.get(`/review/${id}`)).text()).toContain(`/review/${old}"`);
}

/** Reads a text in an object from an answer of the API. */
function textAt(value: unknown, path: readonly string[]): string {
  return String(path.reduce<unknown>((at, key) => Reflect.get(Object(at), key), value));
}

/** The rest of a flow is walked from every page in the full form, and from every tenth page in the short one. */
const WALKED = extent({ full: 1, short: 10 });

/** Expects each verification in progress to open at its page, and to be submitted from there. */
async function expectFlowsContinue(
  server: ServerProcess,
  { key, inProgress = [] }: KeptInstallation,
): Promise<void> {
  const api = createApiClient(server.baseUrl, key);
  const content = { file: () => new Blob([PICTURE]) };
  for (const [index, { id, type, page }] of inProgress.entries()) {
    const { verificationUrl } = dataOf(await api.get(`/verifications/${id}`));
    const forms = await openSubjectForms(String(verificationUrl), type);
    expect([type, await forms.next(content)]).toEqual([type, page]);
    expect((await forms.get()).status).toBe(200);
    if (index % WALKED !== 0) continue;
    await forms.walk(content);
    expect(dataOf(await api.get(`/verifications/${id}`)).status).toBe('submitted');
  }
}

/** Expects the verification whose document is asked again to open at the next page of that step, and to be submitted from there. */
async function expectRedoContinues(server: ServerProcess, { key, shown }: KeptInstallation): Promise<void> {
  const api = createApiClient(server.baseUrl, key);
  const details = shown.details as readonly { readonly id: string; readonly status: string }[];
  const asked = details.filter(({ status }) => status === 'action_needed');
  expect(asked).toHaveLength(1);
  for (const { id } of asked) {
    const { verificationUrl } = dataOf(await api.get(`/verifications/${id}`));
    const forms = await openSubjectForms(String(verificationUrl), 'kyc');
    expect(await forms.next({ file: () => null })).toBe('document-back');
    await forms.walk({ file: () => new Blob([PICTURE]) });
    expect(dataOf(await api.get(`/verifications/${id}`)).status).toBe('submitted');
  }
}

/** Submits a verification and creates another. Returns its id. */
async function expectWorkContinues(server: ServerProcess, kept: KeptInstallation): Promise<string> {
  const api = createApiClient(server.baseUrl, kept.key);
  const { verificationUrl } = dataOf(await api.get(`/verifications/${kept.ids.unfinished}`));
  await (await openSubjectForms(String(verificationUrl), 'kyc')).walk({ file: () => new Blob([PICTURE]) });
  expect(dataOf(await api.get(`/verifications/${kept.ids.unfinished}`)).status).toBe('submitted');

  const again = await api.post(
    { subjectType: 'kyc', subjectReference: 'unopened', metadata: { order: 4711, tags: ['größer', null, 0.1] } },
    { 'Idempotency-Key': 'unopened' },
  );
  expect([idOf(again), again.headers.get('idempotent-replayed')]).toEqual([kept.ids.idempotent, 'true']);
  expect((await api.post(newSubject('unopened'))).status).toBe(409);
  return idOf(await api.post(newSubject('the next')));
}

/** Reads the type and the verification of a webhook. */
function aboutIn(body: string): string {
  const { type, data } = JSON.parse(body) as { type: string; data: { verificationId: string } };
  return `${type} ${data.verificationId}`;
}
