import type { User } from '@countersign/domain/staff';
import { expect, it, onTestFinished } from 'vitest';
import { rowsOf, runIn } from '../../test-support/databases.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';
import { openDatabase } from '../database/open-database.ts';
import type { AccountsDatabase } from '../index.ts';
import { newInvitation } from './invitations.ts';
import { findWithheld, withhold } from './withheld-invitations.ts';

const EMAIL = 'bob@example.com';
const ID = '00000000-0000-4000-8000-000000000001';

onEveryDatabase('withheld invitations', (at) => {
  const input = (clientId: string) =>
    ({ email: EMAIL, name: 'Bob', role: 'client', clientId, teamRole: 'viewer' }) as const;

  async function opened() {
    const db = await openDatabase(at.database);
    onTestFinished(() => db.destroy());
    return db;
  }

  it('a withheld invitation is found by its team and its address', async () => {
    await at.accounts.create(input('theirs'));
    await at.accounts.create(input('ours'), { withholds: true, id: ID });
    const db = await opened();
    expect(await findWithheld(db, { clientId: 'ours', email: EMAIL })).toEqual({ ...input('ours'), id: ID });
    for (const [clientId, email] of [
      ['theirs', EMAIL],
      ['ours', 'ann@example.com'],
      [null, EMAIL],
    ] as const) {
      expect(await findWithheld(db, { clientId, email })).toBeNull();
    }
  });

  it('an invitation that another call stores meanwhile exists, and none is stored beside it', async () => {
    await at.accounts.create(input('theirs'));
    await runIn(at.database, STORE_MEANWHILE[at.database.kind]);
    const made = await at.accounts.create(input('ours'), { withholds: true });
    expect(made).toMatchObject({ outcome: 'exists', existing: { ...input('ours'), id: ID } });
    expect(await rowsOf(at.database, 'select id from staff_withheld_invitations')).toEqual([{ id: ID }]);
  });

  it('an invitation to no team is not withheld', async () => {
    const { user } = await at.accounts.create(input('theirs'));
    const staff = { email: EMAIL, name: 'Bob', role: 'reviewer' } as const;
    const made = await at.accounts.create(staff, { withholds: true });
    expect(made).toMatchObject({ outcome: 'exists', existing: { id: user.id } });

    const db = await opened();
    const invited: User = { ...input('ours'), id: ID };
    for (const noMember of [
      { ...invited, clientId: null },
      { ...invited, teamRole: null },
    ]) {
      const withheld = db
        .transaction()
        .execute((transaction) =>
          withhold(transaction, noMember, newInvitation(at.clock), at.clock.now().toISOString()),
        );
      expect(await withheld).toBe(false);
    }
    expect(await rowsOf(at.database, 'select id from staff_withheld_invitations')).toEqual([]);
  });
});

const STORE = `INSERT INTO staff_withheld_invitations (id, client_id, email, name, team_role, created_at)
  VALUES ('${ID}', 'ours', '${EMAIL}', 'Bob', 'viewer', '2026-03-01T12:00:00.000Z')`;

/** Makes the database store a withheld invitation between the check that there is none and the insertion of another. */
const STORE_MEANWHILE: Readonly<Record<AccountsDatabase['kind'], string>> = {
  sqlite: `CREATE TRIGGER store AFTER UPDATE ON staff_users BEGIN ${STORE}; END`,
  postgres: `
    CREATE FUNCTION store() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${STORE}; RETURN NULL; END $$;
    CREATE TRIGGER store AFTER UPDATE ON staff_users FOR EACH ROW EXECUTE FUNCTION store()`,
};
