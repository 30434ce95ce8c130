import { describeWith } from '@countersign/test-support/servers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Given, givenAccounts } from '../../test-support/accounts.ts';
import { DATABASES, type Databases } from '../../test-support/databases.ts';
import { createStaffManagement } from '../index.ts';

type Staff = Awaited<ReturnType<typeof createStaffManagement>>;

const AGENT = { role: 'client', teamRole: 'agent' } as const;
const OWNER = { role: 'client', teamRole: 'owner' } as const;
const KEEP = { keepOwner: true };
const ROUNDS = 8;
const OTHERS = 4;

for (const [name, needs, open] of DATABASES) {
  describeWith(needs, `the team of a client, on ${name}`, () => {
    let databases: Databases;
    let given: Given;
    /** Other processes on the same database, each with connections of its own. */
    let others: Staff[];

    beforeAll(async () => {
      databases = await open();
    });
    beforeEach(async () => {
      const database = await databases.fresh();
      given = await givenAccounts(database);
      const another = () => createStaffManagement({ database, clock: given.clock });
      others = await Promise.all(Array.from({ length: OTHERS }, another));
    });
    afterEach(async () => {
      for (const staff of [given.accounts, ...others]) await staff.close();
    });
    afterAll(() => databases.close());

    const email = (who: string) => `${who}@example.com`;
    let team = 'client-1';

    /** Somebody of the team who has joined. */
    async function joined(who: string, teamRole: 'owner' | 'agent' = 'owner'): Promise<string> {
      await given.user({ email: email(who), role: 'client', clientId: team, teamRole });
      return given.idOf(email(who));
    }

    async function invited(who: string): Promise<string> {
      await given.accounts.create({ email: email(who), role: 'client', clientId: team });
      return given.idOf(email(who));
    }

    async function adminsOf(clientId: string): Promise<number> {
      const staff = await given.accounts.list({ clientId });
      return staff.filter(({ teamRole }) => teamRole === 'owner').length;
    }

    it('keeps its last owner, unless an operator decides otherwise', async () => {
      const [ann, bob] = [await joined('ann'), await joined('bob', 'agent')];
      const { accounts } = given;
      expect(await accounts.changeRole(ann, AGENT, KEEP)).toEqual({ outcome: 'last_owner' });
      expect(await accounts.remove(ann, KEEP)).toEqual({ outcome: 'last_owner' });
      expect(await accounts.changeRole(ann, OWNER, KEEP)).toEqual({ outcome: 'changed' });
      expect(await accounts.find(ann)).toMatchObject({ teamRole: 'owner' });

      expect(await accounts.changeRole(bob, OWNER, KEEP)).toEqual({ outcome: 'changed' });
      expect(await accounts.changeRole(ann, AGENT, KEEP)).toEqual({ outcome: 'changed' });
      expect(await accounts.remove(ann, KEEP)).toMatchObject({ outcome: 'removed' });
      expect(await accounts.remove(bob, KEEP)).toEqual({ outcome: 'last_owner' });
      expect(await accounts.changeRole(bob, AGENT, { keepOwner: false })).toEqual({ outcome: 'changed' });
      expect(await accounts.remove(bob, { keepOwner: false })).toMatchObject({ outcome: 'removed' });
    });

    it('counts owners of its own, and who has joined where somebody has', async () => {
      team = 'client-2';
      await joined('dan');
      team = 'client-1';
      const [ann, bob] = [await joined('ann'), await invited('bob')];
      const { accounts } = given;
      // Bob cannot sign in yet: without Ann nobody could.
      expect(await accounts.remove(ann, KEEP)).toEqual({ outcome: 'last_owner' });
      expect(await accounts.changeRole(ann, AGENT, KEEP)).toEqual({ outcome: 'last_owner' });
      expect(await accounts.remove(bob, KEEP)).toMatchObject({ outcome: 'removed' });
    });

    it('counts all who were invited where nobody has joined yet', async () => {
      const [ann, bob] = [await invited('ann'), await invited('bob')];
      const { accounts } = given;
      expect(await accounts.remove(ann, KEEP)).toMatchObject({ outcome: 'removed' });
      expect(await accounts.remove(bob, KEEP)).toEqual({ outcome: 'last_owner' });
    });

    it('keeps an owner when many remove and demote each other at once', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        team = `team-${round}`;
        const ids = await Promise.all(
          Array.from({ length: OTHERS + 1 }, (_, index) => invited(`owner-${round}-${index}`)),
        );

        const answers = await Promise.all(
          [given.accounts, ...others].map((staff: Pick<Staff, 'remove' | 'changeRole'>, index) => {
            const id = ids[index] ?? '';
            return index % 2 === 0 ? staff.remove(id, KEEP) : staff.changeRole(id, AGENT, KEEP);
          }),
        );

        expect(answers.filter(({ outcome }) => outcome === 'last_owner')).toHaveLength(1);
        expect(await adminsOf(team)).toBe(1);
      }
    });

    it('of two owners who remove each other at once, one wins and the other is told', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        team = `team-${round}`;
        const [one, two] = [await joined(`one-${round}`), await joined(`two-${round}`)];
        const [first, second] = await Promise.all([
          others[0]?.remove(one, KEEP),
          others[1]?.changeRole(two, AGENT, KEEP),
        ]);
        const outcomes = [first?.outcome, second?.outcome];
        expect(outcomes).toContain('last_owner');
        expect(outcomes).not.toEqual(['last_owner', 'last_owner']);
        expect(await adminsOf(team)).toBe(1);
      }
    });

    it('promoted and demoted at once is never without an owner', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        team = `team-${round}`;
        const owner = await joined(`owner-${round}`);
        const agent = await joined(`agent-${round}`, 'agent');
        await Promise.all([
          others[0]?.changeRole(agent, OWNER, KEEP),
          others[1]?.changeRole(owner, AGENT, KEEP),
          others[2]?.remove(agent, KEEP),
        ]);
        expect(await adminsOf(team)).toBeGreaterThan(0);
        expect((await given.accounts.list({ clientId: team })).length).toBeGreaterThan(0);
      }
    });
  });
}
