import { type OneTimeLink, PASSKEYS_MAX, type Passkeys, type User } from '@countersign/domain/staff';
import { expect } from 'vitest';
import { type Suite, suiteGiven } from '../suite.ts';
import type { StaffSubject } from './staff.ts';

/** The subject of the cases: an implementation of `ManageStaff` and `Passkeys` on the same users. */
export interface PasskeysSubject extends StaffSubject {
  /** The passkeys of `instance()`. */
  readonly passkeys: Pick<Passkeys, 'list' | 'remove'>;
  /** Adds a passkey of a user who has joined, each with another authenticator. */
  addPasskey(user: User, name: string): Promise<'added' | 'too_many' | 'refused'>;
  /** Signs in, in place of the password, with the authenticator of a user's passkey. Returns whether a session began. */
  enterPasskey(user: User, name: string): Promise<boolean>;
}

const FREE = { keepOwner: false };
const KEY = { issuer: 'https://login.example', subject: 'ann' };
const ODD_IDS = ['', 'unknown', 'x\u0000', '\ud800', "' or 1=1 --"];

async function joined(subject: PasskeysSubject, name: string): Promise<OneTimeLink> {
  const made = await subject.instance().create({ email: `${name}@example.com`, name, role: 'reviewer' });
  if (made.outcome !== 'created') throw new Error(`${name} has a user`);
  expect(await subject.join(made)).toBe(true);
  return made;
}

/** A user who has joined, with a second factor and a passkey. */
async function withPasskey(subject: PasskeysSubject, name = 'ann'): Promise<User> {
  const { user } = await joined(subject, name);
  await subject.addSecondFactor(user.id);
  expect(await subject.addPasskey(user, 'Laptop')).toBe('added');
  return user;
}

const namesOf = async ({ passkeys }: PasskeysSubject, { id }: User): Promise<string[]> =>
  (await passkeys.list(id)).map(({ name }) => name);

async function expectEnded(subject: PasskeysSubject, user: User): Promise<void> {
  expect(await namesOf(subject, user)).toEqual([]);
  expect(await subject.enterPasskey(user, 'Laptop')).toBe(false);
}

/** The contract of `Accounts.passkeys`, and of what ends passkeys in `ManageStaff`. */
export const passkeysSuite: Suite<PasskeysSubject> = suiteGiven('passkeys', withPasskey, {
  'a passkey signs its user in and shows when, and each user has their own, oldest first': async (
    subject,
    ann,
  ) => {
    const bob = await withPasskey(subject, 'bob');
    const createdAt = subject.now();
    await subject.elapse(1_000);
    expect(await subject.addPasskey(ann, 'Phone')).toBe('added');
    const usedAt = subject.now();
    expect(await subject.enterPasskey(ann, 'Laptop')).toBe(true);
    expect(await subject.passkeys.list(ann.id)).toEqual([
      { id: expect.any(String) as string, name: 'Laptop', createdAt, usedAt },
      { id: expect.any(String) as string, name: 'Phone', createdAt: usedAt, usedAt: null },
    ]);
    expect(await namesOf(subject, bob)).toEqual(['Laptop']);
  },

  'a user without a second factor gets no passkey': async (subject) => {
    const { user } = await joined(subject, 'bob');
    expect(await subject.addPasskey(user, 'Laptop')).toBe('refused');
    expect(await namesOf(subject, user)).toEqual([]);
  },

  [`of several calls at once, as many succeed as leave ${PASSKEYS_MAX} passkeys`]: async (subject, ann) => {
    for (let n = 2; n < PASSKEYS_MAX; n += 1) expect(await subject.addPasskey(ann, `Key ${n}`)).toBe('added');
    const results = await Promise.all(['a', 'b', 'c'].map((name) => subject.addPasskey(ann, name)));
    expect(results.sort()).toEqual(['added', 'too_many', 'too_many']);
    expect(await namesOf(subject, ann)).toHaveLength(PASSKEYS_MAX);
  },

  'a passkey that its user removes signs no one in; others remain': async (subject, ann) => {
    const bob = await withPasskey(subject, 'bob');
    const id = (await subject.passkeys.list(ann.id))[0]?.id ?? '';
    expect(await subject.passkeys.remove(bob.id, id)).toBe(false);
    expect(await namesOf(subject, ann)).toEqual(['Laptop']);
    expect(await subject.passkeys.remove(ann.id, id)).toBe(true);
    expect(await subject.passkeys.remove(ann.id, id)).toBe(false);
    await expectEnded(subject, ann);
    expect(await subject.enterPasskey(bob, 'Laptop')).toBe(true);
  },

  'passkeys end with the second factor': async (subject, ann) => {
    await subject.instance().resetSecondFactor(ann.id);
    await expectEnded(subject, ann);
  },

  'passkeys end when the provider withdraws access': async (subject, ann) => {
    await subject.instance().identities.connect(ann.id, KEY, { kind: 'email' });
    await subject.instance().identities.withdraw(ann.id);
    await expectEnded(subject, ann);
  },

  'passkeys end when a link sets the password, and stay when a link is made': async (subject, ann) => {
    const link = await subject.instance().invite(ann.id);
    expect(await namesOf(subject, ann)).toEqual(['Laptop']);
    await (link && subject.join(link));
    await expectEnded(subject, ann);
  },

  'passkeys end with their user': async (subject, ann) => {
    expect((await subject.instance().remove(ann.id, FREE)).outcome).toBe('removed');
    await expectEnded(subject, ann);
  },

  'passkeys stay when providers are disconnected': async (subject, ann) => {
    await subject.instance().identities.connect(ann.id, KEY, { kind: 'email' });
    await subject.instance().identities.disconnect(ann.id);
    expect(await namesOf(subject, ann)).toEqual(['Laptop']);
    expect(await subject.enterPasskey(ann, 'Laptop')).toBe(true);
  },

  'untrusted ids list and remove no passkey': async (subject, ann) => {
    const id = (await subject.passkeys.list(ann.id))[0]?.id ?? '';
    for (const odd of ODD_IDS) {
      expect(await subject.passkeys.list(odd)).toEqual([]);
      expect(await subject.passkeys.remove(ann.id, odd)).toBe(false);
      expect(await subject.passkeys.remove(odd, id)).toBe(false);
    }
    expect(await namesOf(subject, ann)).toEqual(['Laptop']);
  },
});
