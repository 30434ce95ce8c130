import { DatabaseSync } from 'node:sqlite';
import { type AuditLine, linesOf, staffIdOf } from '@countersign/test-support/installation/audit-lines';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { change, everyRow } from '@countersign/test-support/installation/database-file';
import { operate } from '@countersign/test-support/installation/operator';
import {
  type FormFields,
  newMemberByLink,
  newTeamMember,
  type StaffForms,
  signInAgain,
} from '@countersign/test-support/pages/staff-forms';
import { run } from '@countersign/test-support/processes/child-process';
import { countersignHere, runCountersign } from '@countersign/test-support/processes/command-line';
import { PROGRAM, type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { TOTP } from 'otpauth';
import { beforeAll, describe, expect, it } from 'vitest';

/** An audit entry without its sequence number and client. */
type Recorded = Omit<AuditLine, 'sequence' | 'clientId'>;

/** The address that the proxy forwards (TRUST_PROXY), from a documentation network. */
const ADDRESS = '203.0.113.77';
const NEW_KEY: FormFields = { name: 'Billing', permissions: '*', expiresInDays: '90' };

let server: ServerProcess;
let client: GivenApi;

beforeAll(async () => {
  server = await startServer({ env: { TRUST_PROXY: '1' } });
  client = await givenApi(server);
});

/** Creates an owner who has confirmed their password: one per test, because few refusals of a user get a line at once. */
async function newOwner(): Promise<StaffForms> {
  const owner = await newTeamMember(server, client.clientId);
  await owner.confirm();
  return owner;
}

/** Posts a form with a session, from `ADDRESS` and the service's own site unless told otherwise. */
function post(
  path: string,
  fields: FormFields,
  forms?: StaffForms,
  { origin = originOfPages(), from = ADDRESS } = {},
): Promise<Response> {
  return fetch(originOfPages() + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: origin, 'X-Forwarded-For': from, ...(forms && { Cookie: forms.cookies() }) },
    body: new URLSearchParams(fields),
  });
}

const originOfPages = () => `http://localhost:${server.port}`;
const idOfStaff = ({ email }: StaffForms) => staffIdOf(server.databaseFile, email);

/** Replaces the sequence number in `of` by the distance to that entry, which tests can predict. */
function withoutNumbers({ sequence, clientId: _, ...line }: AuditLine): Recorded {
  const { of, ...detail } = line.detail;
  return { ...line, detail: of === undefined ? detail : { ...detail, back: sequence - Number(of) } };
}

/** Returns a session with copied cookies. */
const withCookies = (forms: StaffForms, cookies: string): StaffForms => ({ ...forms, cookies: () => cookies });

it('an unconfirmed password, and one confirmed in another session: the dashboard refuses, changes no row and records', async () => {
  const hasty = await newTeamMember(server, client.clientId);
  const stolen = withCookies(hasty, hasty.cookies());
  for (const [forms, from] of [
    [hasty, ADDRESS],
    [stolen, '203.0.113.78'],
  ] as const) {
    const before = everyRow(server.databaseFile);
    const { result, lines } = await linesOf(server.databaseFile, () =>
      post('/dashboard/keys/new', NEW_KEY, forms, { from }),
    );
    expect(result.status).toBe(303);
    expect(result.headers.get('location')).toBe('/account/confirm?returnTo=%2Fdashboard%2Fkeys%2Fnew');
    expect(everyRow(server.databaseFile)).toEqual(before);
    expect(lines.map((line) => withoutNumbers(line))).toEqual([
      {
        from,
        actor: `team_member ${idOfStaff(hasty)}`,
        action: 'api_keys.create',
        targetId: null,
        outcome: 'refused',
        detail: { permissions: ['*'], expiresInDays: 90, code: 'CONFIRMATION_NEEDED' },
      },
    ]);
    await hasty.confirm();
  }
});

describe('account actions', () => {
  it('account actions are recorded: joining, signing in and out, failed sign-ins, confirming the password, the second factor', async () => {
    const secrets: string[] = [];
    const { result: user, lines } = await linesOf(server.databaseFile, async () => {
      const joined = await newMemberByLink(server, {
        role: 'client',
        clientId: client.clientId,
        teamRole: 'viewer',
      });
      const { email, password } = joined;
      const wrong = 'kumquat lantern 42 tide';
      expect((await post('/account/sign-in', { email, password: wrong })).status).toBe(422);
      expect((await post('/account/welcome/kumquat', { password, repeat: password })).status).toBe(410);
      expect(
        (await post('/account/confirm', { password }, joined, { origin: 'https://evil.example' })).status,
      ).toBe(403);
      await joined.post('/account/sign-out');

      const again = await signInAgain(server, joined);
      expect((await again.post('/account/confirm', { password: wrong })).status).toBe(422);
      await again.confirm();
      const begun = await (await again.post('/account/security/begin', { password })).text();
      const secret = /name="secret" value="(\w+)"/.exec(begun)?.[1] ?? '';
      const code = new TOTP({ secret }).generate();
      const setup = { uri: `otpauth://totp/a?secret=${secret}`, secret, backupCodes: 'alpha-1111', saved: 'true' };
      const added = await again.post('/account/security/confirm', { ...setup, code });
      expect(added.headers.get('location')).toBe('/account/security?done=added');
      expect((await again.post('/account/security/remove', { password })).status).toBe(303);
      secrets.push(email, password, secret, 'kumquat');
      return joined;
    });

    const id = idOfStaff(user);
    const own = (action: string) => ({
      action: `account.${action}`,
      outcome: 'allowed',
      actor: `team_member ${id}`,
    });
    expect(lines).toMatchObject([
      { action: 'account.join', outcome: 'allowed', actor: 'anonymous', targetId: id, clientId: client.clientId },
      { ...own('sign_in'), clientId: client.clientId, detail: { withSecondFactor: false } },
      { action: 'account.sign_in', outcome: 'refused', actor: 'anonymous', from: ADDRESS, targetId: id },
      { action: 'account.join', outcome: 'refused', targetId: null, detail: { code: 'LINK_INVALID' } },
      {
        action: 'page.request',
        outcome: 'refused',
        detail: { path: '/account/confirm', reason: 'forged_origin' },
      },
      own('sign_out'),
      own('sign_in'),
      { ...own('confirm_identity'), outcome: 'refused', detail: { code: 'CREDENTIALS_REFUSED' } },
      own('confirm_identity'),
      own('add_second_factor'),
      own('remove_second_factor'),
    ]);
    for (const secret of secrets) expect(JSON.stringify(lines)).not.toContain(secret);
  });
});

describe('the audit log', () => {
  it('the audit log is intact afterwards, and contains neither personal data nor secrets', async () => {
    const owner = await newOwner();
    const { lines } = await linesOf(server.databaseFile, async () => {
      const revoked = await post(`/dashboard/keys/${client.keyId}/revoke`, { name: await displayOf() }, owner);
      expect(revoked.status).toBe(303);
      const made = await post('/dashboard/keys/new', { ...NEW_KEY, name: 'kumquat' }, owner);
      expect(made.status).toBe(200);
      const invited = await post(
        '/dashboard/team/invite',
        { email: 'kumquat@example.org', teamRole: 'agent' },
        owner,
      );
      expect(invited.status).toBe(200);
    });
    expect(lines.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'api_keys.revoke allowed',
      'api_keys.create allowed',
      'api_keys.create allowed',
      'team.invite allowed',
      'team.invite allowed',
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/kumquat|csk_[0-9a-f]{10}/);
    const findings = await countersignHere(['audit', 'verify'], server.env);
    expect(findings).toMatchObject({ outcome: 'intact', entries: lines.at(-1)?.sequence });
  });

  it('the audit log is append-only: the database refuses changes', () => {
    for (const sql of [
      "UPDATE audit_entries SET outcome = 'allowed' WHERE sequence = ?",
      'DELETE FROM audit_entries WHERE sequence = ?',
      'INSERT OR REPLACE INTO audit_entries SELECT * FROM audit_entries WHERE sequence = ?',
    ]) {
      expect(() => change(server.databaseFile, sql, 3), sql).toThrow(/audit log is (append-only|a chain)/);
    }
  });

  it('audit verify names an entry that was changed without the trigger', async () => {
    const database = new DatabaseSync(server.databaseFile);
    try {
      database.exec(
        'DROP TRIGGER audit_entries_unchanged; UPDATE audit_entries SET from_address = NULL WHERE sequence = 3',
      );
    } finally {
      database.close();
    }
    const { code, stdout } = await runCountersign(['audit', 'verify'], server.env);
    expect(code).toBe(1);
    expect(stdout).toContain('BROKEN at entry 3: its content was changed');
  });
});

/** Returns the display text that confirms the revocation of a key without a name. */
async function displayOf(): Promise<string> {
  const keys = await operate(server, ({ apiKeys }) => apiKeys.list(client.clientId));
  return keys.find(({ id }) => id === client.keyId)?.display ?? '';
}

it('a command ends with one line and exit code 1 if its output cannot be written', async () => {
  // A descriptor that can only be read, as on a full disk.
  const script = 'exec "$0" "$@" 1</dev/null';
  const { code, stderr } = await run('sh', ['-c', script, process.execPath, PROGRAM, 'client', 'list'], {
    env: server.env,
  });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'countersign: The output cannot be written (EBADF). It is incomplete\n',
  });
});
