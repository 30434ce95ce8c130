// Starts the command line for each case, on both kinds of databases.
import { join } from 'node:path';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { beforeAll, describe, expect, it } from 'vitest';
import { newOperator, type Operator, operatorOfEachTest } from '../../test-support/operator.ts';

interface Made {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly clientId: string | null;
  readonly teamRole: string | null;
  readonly signInUrl: string;
  readonly expiresAt: string;
}

const SIGN_IN_URL = /^https:\/\/verify\.example\/account\/welcome\/[\w-]{43}$/;
const environment = { PUBLIC_BASE_URL: 'https://verify.example' };

describe('user commands on SQLite', () => {
  const operator = operatorOfEachTest(() => environment);

  it('user create: creates users of each role with a link below PUBLIC_BASE_URL', async () => {
    const client = await operator.newClient();
    const made = await operator.json<Made>(
      `user create --email Ann@Example.com --role client --client ${client.id}`,
    );
    expect(made).toEqual({
      id: expect.any(String),
      email: 'ann@example.com',
      role: 'client',
      clientId: client.id,
      teamRole: 'owner',
      signInUrl: expect.stringMatching(SIGN_IN_URL),
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    for (const role of ['reviewer', 'operator']) {
      const { clientId } = await operator.json<Made>(
        `user create --email ${role}@example.com --role ${role} --name Bob`,
      );
      expect(clientId).toBeNull();
    }
    const listed = await operator.json<{ email: string; name: string }[]>('user list');
    expect(listed.map(({ email, name }) => [email, name])).toEqual([
      ['ann@example.com', 'ann'],
      ['reviewer@example.com', 'Bob'],
      ['operator@example.com', 'Bob'],
    ]);
  });

  it('user create, list and set-role: print text', async () => {
    expect((await operator.run('user list')).out).toBe('No users yet\n');
    const { out } = await operator.run('user create --email ann@example.com --role reviewer');
    const [about = '', link = ''] = out.split('\n');
    expect(about).toMatch(/^User [0-9a-f-]{36} \(reviewer\); the link works once, until \S+Z$/);
    expect(link).toMatch(SIGN_IN_URL);
    expect((await operator.run('user list')).out).toMatch(
      /^ID +E-MAIL +NAME +ROLE +CLIENT +TEAM ROLE\n\S+ +ann@example\.com +ann +reviewer/,
    );
    const { id } = await operator.newClient();
    const bob = `--email bob@example.com --role client --client ${id} --team-role agent`;
    expect((await operator.run(`user create ${bob}`)).out).toMatch(/^User [0-9a-f-]{36} \(client, agent\); /);
    expect((await operator.run('user list')).out).toMatch(/bob@example\.com +bob +client +\S+ +agent/);
    const demoted = await operator.run('user set-role --email bob@example.com --team-role viewer');
    expect(demoted.out).toMatch(/^User [0-9a-f-]{36} \(client, viewer\) has this role now\n$/);
  });

  it('user invite: creates a new link', async () => {
    const made = await operator.json<Made>('user create --email ann@example.com --role reviewer');
    const again = await operator.json<Made>('user invite --email ANN@example.com');
    expect(again).toMatchObject({
      id: made.id,
      email: made.email,
      signInUrl: expect.stringMatching(SIGN_IN_URL),
    });
    expect(again.signInUrl).not.toBe(made.signInUrl);
  });

  it('user set-role: changes roles within a team or within reviewers and operators only', async () => {
    const client = await operator.newClient();
    const ann = '--email ann@example.com';
    const bob = '--email bob@example.com';
    const made = await operator.json<Made>(
      `user create ${ann} --role client --client ${client.id} --team-role viewer`,
    );
    expect(made.teamRole).toBe('viewer');
    await operator.json(`user create ${bob} --role reviewer`);

    expect(await operator.json('user set-role --email', ' ANN@example.com', '--team-role', 'owner')).toEqual({
      id: made.id,
      email: 'ann@example.com',
      role: 'client',
      clientId: client.id,
      teamRole: 'owner',
    });
    expect(await operator.json(`user set-role ${bob} --role operator`)).toMatchObject({
      role: 'operator',
      teamRole: null,
    });
    for (const to of [`${ann} --role reviewer`, `${bob} --team-role owner`]) {
      const refused = await operator.run(`user set-role ${to}`);
      expect(refused).toMatchObject({ exitCode: 2, out: '' });
      expect(refused.err).toMatch(
        /^countersign: option '--role': must be of the same kind: staff of a client stay[^\n]*\n$/,
      );
    }

    // An operator may leave a team without an owner.
    await operator.json(`user set-role ${ann} --team-role agent`);
    const listed = await operator.json<Made[]>('user list');
    expect(listed).toEqual([
      {
        id: made.id,
        email: 'ann@example.com',
        name: 'ann',
        role: 'client',
        clientId: client.id,
        teamRole: 'agent',
      },
      expect.objectContaining({ email: 'bob@example.com', role: 'operator', teamRole: null }),
    ]);
  });

  it('are recorded in the audit log, also when refused', async () => {
    const create = 'user create --email ann@example.com --role reviewer';
    const { id } = await operator.json<Made>(create);
    await operator.run(create);
    await operator.json('user set-role --email ann@example.com --role operator');
    await operator.json('user invite --email ann@example.com');
    await operator.json('user reset-second-factor --email ann@example.com');
    await operator.json('user remove --email ann@example.com');

    const storage = await createSqliteStorage({ file: join(operator.dataDir, 'countersign.db') });
    const lines = await storage.audit.read(0, 50);
    await storage.close();

    expect(lines.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'users.create allowed',
      // The second entry has the new user's id, which the first could not have yet.
      'users.create allowed',
      'users.create allowed',
      'users.create refused',
      'users.change_role allowed',
      'users.invite allowed',
      'users.reset_second_factor allowed',
      'users.remove allowed',
    ]);
    expect(lines[1]).toMatchObject({ targetId: id, detail: { of: 1 } });
    expect(lines.at(-1)).toMatchObject({ actor: { kind: 'operator', id: null }, from: null, targetId: id });
    expect(JSON.stringify(lines)).not.toContain('ann');
  });

  it('user reset-second-factor and remove: return the user', async () => {
    const { id } = await operator.json<Made>('user create --email ann@example.com --role reviewer');
    const about = { id, email: 'ann@example.com', role: 'reviewer', clientId: null, teamRole: null };
    expect(await operator.json('user reset-second-factor --email ann@example.com')).toEqual(about);
    expect(await operator.json('user remove --email ANN@example.com')).toEqual(about);
    expect(await operator.json('user list')).toEqual([]);
  });

  const NOT_FOUND = /User not found\. Check the id or the e-mail address\./;
  const ann = 'create --email ann@example.com';
  it.each<[command: string, exitCode: number, line: RegExp]>([
    ['create --role reviewer', 2, /required option '--email <address>' not specified/],
    ['create --email ann --role reviewer', 2, /option '--email': must be an e-mail address/],
    [ann, 2, /required option '--role <role>' not specified/],
    [`${ann} --role owner`, 2, /Allowed choices are client, reviewer, operator/],
    [`${ann} --role client`, 2, /option '--client': is required with the role client/],
    [`${ann} --role reviewer --client x`, 2, /option '--client': is allowed with the role client only/],
    [`${ann} --role reviewer --team-role agent`, 2, /option '--team-role': is allowed with the role client only/],
    [`${ann} --role client --client x --team-role admin`, 2, /Allowed choices are owner, agent, viewer/],
    [`${ann} --role client --client x`, 1, /CLIENT_NOT_FOUND/],
    [`${ann} --role reviewer --name ${'n'.repeat(101)}`, 2, /option '--name': must have at most 100/],
    [
      'set-role --email ann@example.com --role reviewer --team-role agent',
      2,
      /'--role <role>' cannot be used with option '--team-role <role>'/,
    ],
    ['set-role --email ann@example.com', 2, /'--role <role>' or '--team-role <role>'/],
    ['set-role --email ann@example.com --role client', 2, /Allowed choices are reviewer, operator/],
    ['set-role --email bob@example.com --role operator', 1, NOT_FOUND],
    ['reset-second-factor --email bob@example.com', 1, NOT_FOUND],
    ['remove --email bob@example.com', 1, NOT_FOUND],
    ['invite --email bob@example.com', 1, NOT_FOUND],
  ])('user %s: is refused in one line, and creates nothing', async (command, exitCode, line) => {
    const refused = await operator.run(`user ${command}`);
    expect(refused).toMatchObject({ exitCode, out: '' });
    expect(refused.err).toMatch(line);
    expect(refused.err).toMatch(/^countersign: [^\n]+\n$/);
    expect(await operator.json('user list')).toEqual([]);
  });

  it('user create: refuses an e-mail address that already has an account', async () => {
    const create = 'user create --email ann@example.com --role reviewer';
    await operator.json(create);
    const refused = await operator.run(create);
    expect(refused).toMatchObject({ exitCode: 1, out: '' });
    expect(refused.err).toMatch(
      /^countersign: A user with this e-mail address already exists\. Make a new link[^\n]*\n$/,
    );
  });

  it('require PUBLIC_BASE_URL in production', async () => {
    const refused = await newOperator({ NODE_ENV: 'production' }).run('user list');
    expect(refused).toMatchObject({ exitCode: 78, out: '' });
    expect(refused.err).toMatch(/^countersign: PUBLIC_BASE_URL is not set/);
  });
});

describeWith(['postgres'], 'user commands on Postgres', () => {
  let operator: Operator;

  beforeAll(async () => {
    const server = await startPostgres({ fsync: false });
    operator = newOperator({ ...environment, DATABASE_URL: await server.createDatabase() });
    return () => server.stop();
  });

  it('create, invite and list users', async () => {
    const made = await operator.json<Made>('user create --email ann@example.com --role operator');
    expect(made.signInUrl).toMatch(SIGN_IN_URL);
    expect((await operator.json<Made>('user invite --email ann@example.com')).id).toBe(made.id);
    expect(await operator.json<unknown[]>('user list')).toHaveLength(1);
  });
});
