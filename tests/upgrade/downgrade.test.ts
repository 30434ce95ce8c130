// Takes two minutes: it starts each earlier version on what this version served, on both databases.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiClient } from '@countersign/test-support/api/api-client';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { signInAgain } from '@countersign/test-support/pages/staff-forms';
import type { Environment } from '@countersign/test-support/processes/child-process';
import type { ServerProcess } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';
import { type Kind, keptVersions, readAll, type Shown, versionHas } from './kept-installation.ts';
import { isMigratedSince } from './migration-files.ts';
import { dumpRows } from './postgres-rows.ts';
import { codeAt, enterCode, isSignedIn, type Member, setUpMember, signInWithDevice } from './second-factor.ts';
import { type Begun, beginOn, finishOn, typeOn } from './subjects.ts';
import { placeTwoVersions, type TwoVersions } from './two-versions.ts';

/**
 * Whether a version starts on a database that this version migrated. On Postgres, migrations only expand, but version
 * 0.2.0 does not know yet that those of accounts do too.
 */
const startsAgain = (kind: Kind, version: string): boolean =>
  !isMigratedSince(version) || (kind === 'postgres' && versionHas(version, 'expandedAccounts'));

describeDowngrades('sqlite');
describeDowngrades('postgres');

function describeDowngrades(kind: Kind): void {
  describeWith(kind === 'postgres' ? ['postgres'] : [], `an earlier version after this one on ${kind}`, () => {
    it.each(keptVersions().filter((version) => startsAgain(kind, version)))(
      `%s starts again on ${kind}, shows what this version wrote and continues it, and this version then continues in turn`,
      async (version) => {
        const postgres = kind === 'postgres' ? await startPostgres({ fsync: false }) : undefined;
        const at = await placeTwoVersions(version, kind, { postgres, isInTurn: true });
        const held = versionHas(version, 'flowVersion2') ? {} : { FLOW_VERSION: '1' };
        const left = await workOnFresh(at, await at.serve('fresh', held));

        const old = await at.serve('old');
        const used = await expectLeft(at, old, left);
        await typeOn(old, left.begun);
        const reviewer = await signInWithDevice(old, at.kept.reviewer, at.nextMinute());
        await reviewer.act(left.submitted, 'approve');
        const leftByOld = { ...left, used, shown: await readAll(old, at.kept.key, reviewer) };
        await at.stop();
        expect(await at.command('old', ['audit', 'verify'])).toMatchObject({ outcome: 'intact' });

        const fresh = await at.serve('fresh');
        await expectLeft(at, fresh, leftByOld);
        await finishOn(fresh, left.begun);
        await at.stop();
        expect(await at.command('fresh', ['doctor'])).toMatchObject({
          problems: [],
          counts: { differing: 0 },
          verifications: { missingFiles: 0 },
        });
        if (!versionHas(version, 'flowVersion2')) await expectUnreadable(at);
        await postgres?.stop();
      },
    );

    it.each(keptVersions().filter((version) => !startsAgain(kind, version)))(
      `%s refuses what this version migrated on ${kind} and changes nothing, and this version continues to serve it`,
      async (version) => {
        const postgres = kind === 'postgres' ? await startPostgres({ fsync: false }) : undefined;
        const at = await placeTwoVersions(version, kind, { postgres, isInTurn: true });
        const backup = join(temporaryFolder(), 'backup');
        if (kind === 'sqlite') await at.command('old', ['backup', backup]);
        const left = await workOnFresh(at, await at.serve('fresh'));
        await at.stop();
        const stored = await storedIn(at.env);

        expect(await at.refusal()).toMatchObject({
          code: 1,
          stdout: '',
          stderr: expect.stringMatching(
            /^countersign: .* by a newer version of Countersign[:.] use that version/i,
          ),
        });

        expect(await storedIn(at.env)).toEqual(stored);
        const fresh = await at.serve('fresh');
        await expectLeft(at, fresh, left);
        await typeOn(fresh, left.begun);
        await at.stop();
        if (kind === 'sqlite') await expectRestored(at, backup);
        await postgres?.stop();
      },
    );
  });
}

/** What a server of this version left. */
interface Left {
  readonly shown: Shown;
  /** A user whose second factor was set up there. */
  readonly member: Member;
  /** A backup code that was used. */
  readonly used: string;
  readonly begun: Begun;
  readonly submitted: string;
}

async function workOnFresh({ kept, clock }: TwoVersions, fresh: ServerProcess): Promise<Left> {
  const member = await setUpMember(fresh, kept.owner, clock.now());
  const used = member.backupCodes.shift() ?? '';
  const session = await enterCode(fresh, await signInAgain(fresh, member), used);
  expect(await isSignedIn(fresh, session ?? '')).toBe(true);

  const reviewer = await signInWithDevice(fresh, kept.reviewer, clock.now());
  await reviewer.act(kept.ids.submitted, 'approve');
  const begun = await beginOn(fresh, kept.key, 'kyc');
  const submitted = await beginOn(fresh, kept.key, 'kyc');
  await finishOn(fresh, submitted);
  return { shown: await readAll(fresh, kept.key, reviewer), member, used, begun, submitted: submitted.id };
}

/** Expects a server to show everything that another one left, and to refuse its used code. Returns a backup code that it accepted. */
async function expectLeft(
  { kept, nextMinute }: TwoVersions,
  server: ServerProcess,
  { shown, member, used }: Left,
): Promise<string> {
  const now = nextMinute();
  const reviewer = await signInWithDevice(server, kept.reviewer, now);
  expect(withoutThumbnails(await readAll(server, kept.key, reviewer))).toEqual(withoutThumbnails(shown));
  const [byDevice, byBackupCode] = [await signInAgain(server, member), await signInAgain(server, member)];
  expect(await enterCode(server, byBackupCode, used)).toBeNull();
  const backupCode = member.backupCodes.shift() ?? '';
  for (const [waiting, code] of [
    [byBackupCode, backupCode],
    [byDevice, codeAt(member.secret, now)],
  ] as const) {
    const cookies = await enterCode(server, waiting, code);
    expect(await isSignedIn(server, cookies ?? '')).toBe(true);
  }
  return backupCode;
}

/** Leaves out `thumbnail`, which version 0.3.0 shows of documents because it does not know the field. */
function withoutThumbnails(shown: Shown): Shown {
  return JSON.parse(JSON.stringify(shown), (field, value) => (field === 'thumbnail' ? undefined : value));
}

/**
 * Expects an earlier version to fail for a verification that began in a flow that it does not know, and for no other
 * one.
 */
async function expectUnreadable(at: TwoVersions): Promise<void> {
  const { id } = await beginOn(await at.serve('fresh'), at.kept.key, 'kyc');
  const api = createApiClient((await at.serve('old')).baseUrl, at.kept.key);
  expect(await api.get(`/verifications/${id}`)).toMatchObject({ status: 500 });
  expect(await api.get(`/verifications/${at.kept.ids.submitted}`)).toMatchObject({ status: 200 });
  await at.stop();
}

/** Expects the earlier version to serve what it served before the upgrade, once it has restored its backup. */
async function expectRestored(at: TwoVersions, backup: string): Promise<void> {
  await at.command('old', ['restore', backup]);
  const old = await at.serve('old');
  const reviewer = await signInWithDevice(old, at.kept.reviewer, at.nextMinute());
  expect(await readAll(old, at.kept.key, reviewer)).toEqual(at.kept.shown);
  await at.stop();
}

/** Matches the rows that count requests. A server that starts adds to them, because it tries the table. */
const RATE_LIMITS = /INSERT INTO "rate_limit_windows" .*?\$rows\$\);/s;

/** Reads what is stored: the hash of each file, and the rows on Postgres. */
async function storedIn({ DATA_DIR = '', DATABASE_URL }: Environment): Promise<unknown> {
  const files = filesBelow(DATA_DIR).map((file) => [file, hash('sha256', readFileSync(file))]);
  const rows = DATABASE_URL === undefined ? '' : await dumpRows(DATABASE_URL);
  return { files, rows: rows.replace(RATE_LIMITS, '') };
}
