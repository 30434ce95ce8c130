// Two versions serve one database under load while subjects and reviewers change between them.
import { isDeepStrictEqual } from 'node:util';
import { SUBJECT_TYPES } from '@countersign/domain';
import {
  type ApiClient,
  createApiClient,
  dataOf,
  kindsOf,
  newSubject,
} from '@countersign/test-support/api/api-client';
import { requestSteadily } from '@countersign/test-support/api/steady-requests';
import { extent } from '@countersign/test-support/installation/extent';
import { tallyIn, withDatabase } from '@countersign/test-support/installation/postgres-database';
import { typedOn } from '@countersign/test-support/pages/page-answers';
import { newMemberByLink, type StaffForms, signInAgain } from '@countersign/test-support/pages/staff-forms';
import { type Environment, run } from '@countersign/test-support/processes/child-process';
import {
  countersign,
  countersignHere,
  runCountersign,
  runCountersignHere,
} from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { describe, expect, it } from 'vitest';
import { keptVersions, versionHas } from './kept-installation.ts';
import { createCommands, unpackProgram } from './kept-program.ts';
import { isMigratedSince } from './migration-files.ts';
import { type Begun, beginOn, finishOn, typeOn } from './subjects.ts';

const SERVICE: Environment = {
  SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
  PUBLIC_BASE_URL: 'https://verify.example',
};
const REQUESTS_PER_SECOND = extent({ full: 40, short: 4 });
/** Requests that each server answers in each state of the upgrade. */
const ENOUGH = extent({ full: 80, short: 8 });

describeWith(['postgres'], 'a rolling upgrade on Postgres', () => {
  it.each(keptVersions())(
    'a rolling upgrade on Postgres from %s: the old server serves while the new one migrates, and beside it',
    async (version) => {
      const program = unpackProgram(version);
      const postgres = await startPostgres({ fsync: false });
      const url = await postgres.createDatabase();
      const env = { ...SERVICE, DATABASE_URL: url, EVIDENCE_URL: `file:${temporaryFolder()}` };
      const old = await startServer({ command: [process.execPath, program], env });
      const { clientId, key } = await createClient(program, old.env);
      const begun = await beginOn(old, key, 'kyc');
      await withdrawOn(old, program, key);

      const onOld = requestSteadily(old.origin, key, REQUESTS_PER_SECOND, 'old');
      await until(() => onOld.answered() >= ENOUGH);
      const held = versionHas(version, 'flowVersion2') ? {} : { FLOW_VERSION: '1' };
      const fresh = await startServer({ readsDocuments: true, env: { ...env, ...held } });
      const meanwhile = await createClient(program, old.env);
      const asks = !versionHas(version, 'flowSettings');
      expect(
        await countersignHere(['client', 'flow', meanwhile.clientId], fresh.env),
        'a client that the old version creates beside the new one',
      ).toMatchObject({ settings: { placeOfBirth: asks, proofOfAddress: asks } });
      const onNew = requestSteadily(fresh.origin, key, REQUESTS_PER_SECOND, 'new');
      const reviewer = await newMemberByLink(fresh, { role: 'reviewer', name: 'Rita Reviewer' });
      const reviewerOfOld = await signInAgain(old, reviewer);
      await withdrawOn(old, program, key);
      await expectWithdrawn(reviewer, 2);
      const statusAt = async (server: ServerProcess, id: string) =>
        dataOf(await createApiClient(server.baseUrl, key).get(`/verifications/${id}`)).status;
      const approveOnOld = async (id: string) => {
        expect(await statusAt(old, id)).toBe('submitted');
        await reviewerOfOld.act(id, 'approve');
        expect(await statusAt(fresh, id)).toBe('approved');
      };
      await finishOn(fresh, begun);
      await approveOnOld(begun.id);
      for (const type of SUBJECT_TYPES) {
        const created = await beginOn(fresh, key, type);
        expect(await statusAt(old, created.id)).toBe('pending');
        await typeOn(old, created);
        await finishOn(fresh, created);
        expect(await statusAt(old, created.id)).toBe('submitted');
        await approveOnOld(created.id);
      }
      const unlabelled = await beginOn(fresh, key, 'kyc');
      await finishOn(fresh, unlabelled, 'check');
      await finishOn(old, unlabelled);
      await expectLabelledByRebuild(fresh, unlabelled, { reviewer, isLabelled: versionHas(version, 'labels') });
      const erased = await beginOn(fresh, key, 'kyc');
      await finishOn(fresh, erased);
      await until(async () => isDeepStrictEqual(await keptOf(url, erased), ALL));
      await reviewer.act(erased.id, 'ask', { 'ask.steps': 'person', 'ask.person.reasonCode': 'data_mismatch' });
      if (versionHas(version, 'erasure')) await eraseOnOld({ old, url, key }, erased);
      const answered = onOld.answered();
      await until(() => onNew.answered() >= ENOUGH && onOld.answered() >= answered + ENOUGH);
      expect((await fetch(`${old.origin}/readyz`)).status).toBe(200);

      const ofOld = await onOld.stop();
      expect((await old.stop()).code).toBe(0);
      const ofNew = await onNew.stop();
      for (const { faults, answers, created } of [ofOld, ofNew]) {
        expect(faults).toEqual([]);
        expect(kindsOf(answers)).toEqual({ '200': expect.any(Number) as number, '201': created.size });
      }
      const rows = ofOld.created.size + ofNew.created.size + 5 + SUBJECT_TYPES.length;
      expect(await tallyIn(url, clientId)).toMatchObject({ rows, used: rows, counted: rows, created: rows });
      expect(await examine(fresh)).toMatchObject({ problems: [], counts: { differing: 0 } });
      const log = await countersignHere<{ outcome: string }>(['audit', 'verify'], fresh.env);
      expect(log.outcome).toBe('intact');
      await fresh.stop();
      await postgres.stop();
    },
  );
});

describe('an upgrade on SQLite', () => {
  it.each(keptVersions())(
    'an upgrade on SQLite from %s: the old server serves while `migrate` runs, and a new one starts after it',
    async (version) => {
      const program = unpackProgram(version);
      const old = await startServer({ command: [process.execPath, program], env: SERVICE });
      const { key } = await createClient(program, old.env);
      await withdrawOn(old, program, key);
      const onOld = requestSteadily(old.origin, key, REQUESTS_PER_SECOND, 'old');
      await until(() => onOld.answered() >= ENOUGH);

      const refused = await runCountersign(['serve'], { ...old.env, PORT: String(await freePort()) });

      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Another server is already serving'),
      });
      const { applied } = await countersign<{ applied: readonly string[] }>(['migrate'], old.env);
      expect(applied.length > 0).toBe(isMigratedSince(version));
      const answered = onOld.answered();
      await until(() => onOld.answered() >= answered + ENOUGH);
      const { faults, answers, created } = await onOld.stop();
      expect(faults).toEqual([]);
      expect(kindsOf(answers)).toEqual({ '200': expect.any(Number) as number, '201': created.size });
      expect((await old.stop()).code).toBe(0);
      if (isMigratedSince(version)) {
        const tooOld = await run(process.execPath, [program, 'serve'], {
          env: { ...old.env, PORT: String(await freePort()) },
        });
        expect(tooOld).toMatchObject({ code: 1, stderr: expect.stringContaining('newer version') });
      }
      const fresh = await startServer({ dataDir: old.dataDir, env: old.env });
      expect(await countOf(createApiClient(fresh.baseUrl, key))).toBe(created.size + 1);
      await expectWithdrawn(await newMemberByLink(fresh, { role: 'reviewer', name: 'Rita Reviewer' }), 1);
      await fresh.stop();
    },
  );
});

/** Creates a client with a key by the commands of an earlier version. */
async function createClient(program: string, env: Environment): Promise<{ clientId: string; key: string }> {
  const json = createCommands(program, env);
  const { id: clientId } = await json<{ id: string }>(
    'client',
    'create',
    '--name',
    'Acme',
    '--plan',
    'enterprise',
  );
  const { key } = await json<{ key: string }>('key', 'create', '--client', clientId, '--permissions', '*');
  return { clientId, key };
}

/** Creates a verification on a server, and withdraws it by the command of an earlier version. */
async function withdrawOn(server: ServerProcess, program: string, key: string): Promise<void> {
  const created = await createApiClient(server.baseUrl, key).post(newSubject(`withdrawn ${crypto.randomUUID()}`));
  await createCommands(program, server.env)('verification', 'withdraw', String(dataOf(created).id));
}

/** Expects the list of rejected cases to show as many as withdrawn, and no other. */
async function expectWithdrawn(reviewer: StaffForms, count: number): Promise<void> {
  const list = await (await reviewer.get('/review?status=rejected')).text();
  expect(
    [...list.matchAll(/class="badge is-(\w+)"><svg.*?<\/svg>([^<]*)</gs)].map(([, ...badge]) => badge),
  ).toEqual(Array.from({ length: count }, () => ['idle', 'Withdrawn']));
}

/** Runs `doctor` without the reader of documents, which takes 2 s of processor time. */
async function examine({ env }: ServerProcess): Promise<{ readonly indexes: unknown }> {
  const { stdout } = await runCountersignHere(['doctor', '--json'], { ...env, READER: 'off' });
  return JSON.parse(stdout) as { readonly indexes: unknown };
}

/** Expects what a version without labels submitted to be counted as behind, and all to be found once it is labelled. */
async function expectLabelledByRebuild(
  fresh: ServerProcess,
  { id }: Begun,
  { reviewer, isLabelled }: { readonly reviewer: StaffForms; readonly isLabelled: boolean },
): Promise<void> {
  const behind = isLabelled ? 0 : 1;
  const indexes = async () => (await examine(fresh)).indexes;
  const isFound = async () => {
    const number = typedOn('kyc', 'document-details')?.number;
    const found = await reviewer.post('/review/search', { query: String(number) });
    return (await found.text()).includes(`/review/${id}"`);
  };
  expect([await indexes(), await isFound()]).toEqual([{ behind, unreadableKeys: 0 }, isLabelled]);
  expect(await countersignHere(['index', 'rebuild'], fresh.env)).toMatchObject({
    labelled: behind,
    unreadable: 0,
  });
  expect([await indexes(), await isFound()]).toEqual([{ behind: 0, unreadableKeys: 0 }, true]);
}

const ALL = { warnings: true, readings: true, labels: true };

/** What is kept of a verification beside its answers. */
function keptOf(url: string, { id }: Begun): Promise<unknown> {
  return withDatabase(url, async (sql) => {
    const [row] = await sql`
      select warnings is not null as warnings,
        (select count(*) > 0 from readings where verification_id = v.id) as readings,
        (select count(*) > 0 from index_entries where verification_id = v.id) as labels
      from verifications v where id = ${id}`;
    return { ...row };
  });
}

/** Erases a verification on an earlier version, which knows nothing of what is kept beside the answers. */
async function eraseOnOld(
  { old, url, key }: { old: ServerProcess; url: string; key: string },
  begun: Begun,
): Promise<void> {
  expect(await keptOf(url, begun)).toEqual(ALL);
  const path = `/verifications/${begun.id}/data?withdraw=true`;
  const answer = await createApiClient(old.baseUrl, key).request(path, { method: 'DELETE' });
  expect(dataOf(answer)).toMatchObject({ state: 'erased' });
  expect(await keptOf(url, begun)).toEqual({ warnings: false, readings: false, labels: false });
}

async function countOf(api: ApiClient): Promise<unknown> {
  const { pagination } = dataOf(await api.get('/verifications?limit=1'));
  return (pagination as { readonly totalCount: number }).totalCount;
}
