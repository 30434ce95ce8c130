// Takes a minute: it starts servers of each earlier version and of this one, beside each other and in turn.
import { newMemberByLink, type StaffForms, signInAgain } from '@countersign/test-support/pages/staff-forms';
import type { ServerProcess } from '@countersign/test-support/processes/server-process';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';
import { type Kind, keptVersions } from './kept-installation.ts';
import { isMigratedSince } from './migration-files.ts';
import { codeAt, enterCode, isSignedIn, type Member, setUpMember } from './second-factor.ts';
import { placeTwoVersions, type Which } from './two-versions.ts';

/** Sign-ins that begin at the server of one version, and whose codes are entered at that of the other. */
interface Turn {
  readonly from: Which;
  readonly to: Which;
  /** The version that re-seals the second factors in between. */
  readonly resealedBy: Which;
  /** How many second factors are re-sealed. */
  readonly resealed: number;
}

// The reviewer of the installation has a second factor, too. Version 0.2.0 runs no command beside this version.
const TURNS: readonly Turn[] = [
  { from: 'old', to: 'fresh', resealedBy: 'old', resealed: 2 },
  { from: 'fresh', to: 'old', resealedBy: 'fresh', resealed: 2 },
  { from: 'old', to: 'fresh', resealedBy: 'fresh', resealed: 3 },
];

/** On SQLite, an earlier version does not start again on a database that this one migrated. */
function turnsOf(kind: Kind, version: string): readonly Turn[] {
  return kind === 'sqlite' && isMigratedSince(version) ? TURNS.slice(0, 1) : TURNS;
}

describeSecondFactors('sqlite', 'second factors on SQLite, which two versions serve in turn');
describeSecondFactors('postgres', 'second factors on Postgres, which two versions serve side by side');

function describeSecondFactors(kind: Kind, title: string): void {
  describeWith(kind === 'postgres' ? ['postgres'] : [], title, () => {
    it.each(keptVersions())(
      'second factors that %s or this version set up or re-sealed: the other version accepts their codes and backup codes',
      async (version) => {
        const postgres = kind === 'postgres' ? await startPostgres({ fsync: false }) : undefined;
        const at = await placeTwoVersions(version, kind, { postgres });
        const ring = at.kept.secretKeys.split(',');
        const members: Member[] = [];
        const sessions: string[] = [];
        for (const turn of turnsOf(kind, version)) {
          const from = await at.serve(turn.from);
          if (members.length === 0) members.push(await setUpMember(from, at.kept.owner, at.clock.now()));
          else if (turn.from === 'fresh')
            members.push(await setUpMember(from, await newReviewer(from), at.clock.now()));
          const begun: BegunSignIns[] = [];
          for (const member of members) begun.push(await beginAt(from, member));

          // Rotates to the other secret each time. All servers have both.
          const other = { SECRET_KEYS: ring.reverse().join() };
          const rotated = await at.command(turn.resealedBy, ['keys', 'rotate'], other);
          expect(rotated).toMatchObject({ secondFactors: turn.resealed });

          const to = await at.serve(turn.to);
          const now = at.nextMinute();
          for (const each of begun) sessions.push(...(await finishAt(to, each, now)));
          for (const cookies of sessions) expect(await isSignedIn(to, cookies)).toBe(true);
        }
        await at.stop();
        await postgres?.stop();
      },
    );
  });
}

const newReviewer = (server: ServerProcess) =>
  newMemberByLink(server, { role: 'reviewer', name: 'Rita Reviewer' });

/** Sign-ins of a user that wait for a code, and a backup code that was used where they began. */
interface BegunSignIns {
  readonly member: Member;
  readonly waiting: readonly [StaffForms, StaffForms];
  readonly used: string;
}

async function beginAt(server: ServerProcess, member: Member): Promise<BegunSignIns> {
  const used = member.backupCodes.shift() ?? '';
  expect(await enterCode(server, await signInAgain(server, member), used)).not.toBeNull();
  return { member, used, waiting: [await signInAgain(server, member), await signInAgain(server, member)] };
}

/** Enters codes in the sign-ins at another server. Returns the cookies of the sessions. */
async function finishAt(
  server: ServerProcess,
  { member, used, waiting: [byDevice, byBackupCode] }: BegunSignIns,
  now: Date,
): Promise<readonly string[]> {
  expect(await enterCode(server, byBackupCode, used)).toBeNull();
  const sessions = [
    await enterCode(server, byBackupCode, member.backupCodes.shift() ?? ''),
    await enterCode(server, byDevice, codeAt(member.secret, now)),
  ];
  expect(sessions).not.toContain(null);
  return sessions.filter((cookies) => cookies !== null);
}
