// Takes about half a minute: it starts two servers for each earlier version.
import { newMemberByLink, type StaffForms, signInAgain } from '@countersign/test-support/pages/staff-forms';
import { createClock } from '@countersign/test-support/processes/clock';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';
import { keptVersions } from './kept-installation.ts';
import { unpackProgram } from './kept-program.ts';
import { codeAt, setUpSecondFactor } from './second-factor.ts';

const PUBLIC_BASE_URL = 'https://verify.example';
const MINUTE_MS = 60_000;

/** Enters a code at a server, in the browser of a sign-in that began at the same or another one. Returns the browser's cookies. */
async function enter({ origin }: ServerProcess, asked: StaffForms, code: string): Promise<string> {
  const response = await fetch(`${origin}/account/second-factor`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: asked.cookies(), Origin: PUBLIC_BASE_URL },
    body: new URLSearchParams({ code }),
  });
  expect(response.status).toBe(303);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

async function isSignedIn({ origin }: ServerProcess, cookies: string): Promise<boolean> {
  const response = await fetch(`${origin}/review`, { redirect: 'manual', headers: { Cookie: cookies } });
  return response.status === 200;
}

describeWith(['postgres'], 'second factors beside an earlier version', () => {
  it.each(keptVersions())(
    '%s and this version set second factors up, begin sign-ins and accept codes for each other',
    async (version) => {
      const postgres = await startPostgres({ fsync: false });
      const clock = createClock(new Date().toISOString());
      const env = {
        ...clock.env,
        SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
        PUBLIC_BASE_URL,
        DATABASE_URL: await postgres.createDatabase(),
        EVIDENCE_URL: `file:${temporaryFolder()}`,
      };
      const old = await startServer({ command: [process.execPath, unpackProgram(version)], env });
      const fresh = await startServer({ env });

      for (const setUpAt of [old, fresh]) {
        const member = await newMemberByLink(fresh, { role: 'reviewer', name: 'Rita Reviewer' });
        const secret = await setUpSecondFactor(await signInAgain(setUpAt, member), clock.now());
        for (const [begunAt, enteredAt] of [
          [old, fresh],
          [fresh, old],
        ] as const) {
          // Each code is accepted once.
          clock.set(new Date(clock.now().getTime() + MINUTE_MS).toISOString());
          const asked = await signInAgain(begunAt, member);
          const cookies = await enter(enteredAt, asked, codeAt(secret, clock.now()));
          expect(await isSignedIn(old, cookies)).toBe(true);
          expect(await isSignedIn(fresh, cookies)).toBe(true);
        }
      }
      await Promise.all([old.stop(), fresh.stop()]);
      await postgres.stop();
    },
  );
});
