import type { User } from '@countersign/domain';

/** Somebody who can sign in, and how. */
export interface FakeAccount {
  user: User;
  /** Null until they have joined. */
  password: string | null;
  hasSecondFactor: boolean;
}

interface Link {
  readonly userId: string;
  readonly expiresAt: Date;
}

/** All that the fakes of signing in and of managing staff share. */
export interface FakePeople {
  readonly accounts: Map<string, FakeAccount & { readonly createdAt: Date }>;
  /** One-time links by their tokens. */
  readonly links: Map<string, Link>;
  add(account: FakeAccount): void;
  newLink(userId: string): { readonly token: string; readonly expiresAt: Date };
  linkOf(userId: string): Link | null;
  /** A name with a number that nothing else has. */
  next(what: string): string;
}

const LINK_LIFETIME_MS = 24 * 60 * 60 * 1_000;

export function createFakePeople(now: () => Date): FakePeople {
  const accounts: FakePeople['accounts'] = new Map();
  const links: FakePeople['links'] = new Map();
  let count = 0;
  const next = (what: string) => `${what}-${++count}`;
  const linksOf = (userId: string) => [...links].filter(([, link]) => link.userId === userId);

  return {
    accounts,
    links,
    next,
    add: (account) => void accounts.set(account.user.id, { ...account, createdAt: now() }),
    newLink(userId) {
      for (const [token] of linksOf(userId)) links.delete(token);
      const [token, expiresAt] = [next('token'), new Date(now().getTime() + LINK_LIFETIME_MS)];
      links.set(token, { userId, expiresAt });
      return { token, expiresAt };
    },
    linkOf: (userId) => linksOf(userId).find(([, { expiresAt }]) => expiresAt > now())?.[1] ?? null,
  };
}

/** A user for tests: `ann@example.org` with the id `ann`. Staff of a client are owners where nothing else is said. */
export function fakeUser(id: string, more: Partial<User> & Pick<User, 'role'>): User {
  const isOfClient = more.role === 'client';
  return {
    id,
    email: `${id}@example.org`,
    name: id,
    clientId: isOfClient ? 'client-1' : null,
    teamRole: isOfClient ? 'owner' : null,
    ...more,
  };
}
