import type { Clock, Ids } from '@countersign/domain';
import {
  PASSKEYS_MAX,
  type Passkey,
  type PasskeyCheck,
  type PasskeyPurpose,
  type PasskeyRefused,
  type Passkeys,
  type SignInOutcome,
  type Throttled,
  type User,
  type Visitor,
} from '@countersign/domain/staff';

/** What passkeys need of the users in memory. */
interface Users {
  find(userId: string): Promise<User | null>;
  hasSecondFactor(userId: string): Promise<boolean>;
  hasPassword(userId: string): boolean;
  /** Returns the user of the visitor's pending sign-in. */
  pendingUser(visitor: Visitor): string | null;
  /** Ends the visitor's pending sign-in and begins a session with a second factor. */
  signIn(visitor: Visitor, userId: string): SignInOutcome;
  /** Runs an attempt unless attempts are throttled. */
  attempt<R>(visitor: Visitor, run: () => Promise<R>): Promise<R | Throttled>;
}

interface StoredPasskey extends Passkey {
  readonly userId: string;
  readonly credential: string;
  readonly uses: number;
}

interface Challenge {
  readonly purpose: PasskeyPurpose | 'add';
  readonly userId: string | null;
}

interface MemoryPasskeys extends Passkeys {
  /** Deletes the passkeys of a user. */
  end(userId: string): void;
}

const COOKIE = 'passkey';

/**
 * Answers a request of passkeys in memory, as an authenticator would.
 *
 * @param options the options of the request, as JSON
 * @param credential identifies the authenticator: each has one passkey
 *
 * @example
 * memoryPasskeyAnswer('{"challenge":"1"}', 'laptop'); // '{"challenge":"1","credential":"laptop"}'
 */
export function memoryPasskeyAnswer(options: string, credential: string): string {
  const { challenge } = JSON.parse(options) as { challenge: string };
  return JSON.stringify({ challenge, credential });
}

/** `Passkeys` in memory, which trusts answers that name a passkey. After its last await, an operation runs in one step. */
export function createMemoryPasskeys({
  clock,
  ids,
  users,
}: {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly users: Users;
}): MemoryPasskeys {
  let stored: StoredPasskey[] = [];
  const challenges = new Map<string, Challenge>();

  const ownOf = (userId: string) => stored.filter((each) => each.userId === userId);

  function newRequest(challenge: Challenge) {
    const id = ids.next();
    challenges.set(id, challenge);
    return { options: JSON.stringify({ challenge: id }), setCookies: [`${COOKIE}=${id}; HttpOnly`] };
  }

  /** Uses up the challenge of an answer. */
  function take(response: string, purpose: Challenge['purpose']): (Challenge & { credential: string }) | null {
    const answer = answerIn(response);
    const challenge = answer === null ? undefined : challenges.get(answer.challenge);
    if (answer === null || challenge?.purpose !== purpose) return null;
    challenges.delete(answer.challenge);
    return { ...challenge, credential: answer.credential };
  }

  return {
    list: async (userId) => ownOf(userId).map(passkeyOf),

    async begin(visitor, purpose) {
      const userId = purpose === 'sign_in' ? null : users.pendingUser(visitor);
      const hasNone = userId === null || ownOf(userId).length === 0;
      return purpose === 'second_factor' && hasNone ? null : newRequest({ purpose, userId });
    },

    finish: (visitor, { purpose, response }) =>
      users.attempt(visitor, async () => {
        const taken = take(response, purpose);
        const isPending = purpose === 'sign_in' || users.pendingUser(visitor) === taken?.userId;
        if (taken === null || !isPending) return refused('request');
        const passkey = stored.find(({ credential }) => credential === taken.credential);
        const user = passkey === undefined ? null : await users.find(passkey.userId);
        if (passkey === undefined || user === null) return refused('passkey');
        if (taken.userId !== null && taken.userId !== user.id) return refused('passkey', user);
        return {
          outcome: 'verified' as const,
          purpose,
          user,
          passkeyId: passkey.id,
          hasPassword: users.hasPassword(user.id),
          counter: { from: passkey.uses, to: passkey.uses + 1 },
        };
      }),

    async startSession(visitor, { purpose, user, passkeyId, counter }) {
      if (purpose === 'second_factor' && users.pendingUser(visitor) !== user.id) return { outcome: 'refused' };
      const isKnown = stored.some(({ id, uses }) => id === passkeyId && uses === counter.from);
      if (!isKnown) return { outcome: 'refused' };
      stored = stored.map((each) =>
        each.id === passkeyId ? { ...each, uses: counter.to, usedAt: clock.now() } : each,
      );
      return users.signIn(visitor, user.id);
    },

    beginAdding: async (_, { id }) => newRequest({ purpose: 'add', userId: id }),

    finishAdding: (visitor, { user, name, response }) =>
      users.attempt(visitor, async () => {
        const taken = take(response, 'add');
        if (taken?.userId !== user.id) return refused('request', user);
        const { credential } = taken;
        const isSetUp = await users.hasSecondFactor(user.id);
        if (!isSetUp || stored.some((each) => each.credential === credential)) return refused('passkey', user);
        if (ownOf(user.id).length >= PASSKEYS_MAX) return { outcome: 'too_many' as const };
        const passkey = { id: ids.next(), name, createdAt: clock.now(), usedAt: null };
        stored.push({ ...passkey, userId: user.id, credential, uses: 0 });
        return { outcome: 'added' as const, passkey, setCookies: [`${COOKIE}=; Max-Age=0`] };
      }),

    async remove(userId, passkeyId) {
      const before = stored.length;
      stored = stored.filter((each) => each.userId !== userId || each.id !== passkeyId);
      return stored.length < before;
    },

    end(userId) {
      stored = stored.filter((each) => each.userId !== userId);
    },
  };
}

function refused(check: PasskeyCheck, user: User | null = null): PasskeyRefused {
  return { outcome: 'refused', check, user };
}

function passkeyOf({ id, name, createdAt, usedAt }: StoredPasskey): Passkey {
  return structuredClone({ id, name, createdAt, usedAt });
}

/** Parses an answer; null for anything but the JSON of `memoryPasskeyAnswer`. */
function answerIn(response: string): { readonly challenge: string; readonly credential: string } | null {
  try {
    const answer = JSON.parse(response) as { challenge?: unknown; credential?: unknown } | null;
    const { challenge, credential } = answer ?? {};
    return typeof challenge === 'string' && typeof credential === 'string' ? { challenge, credential } : null;
  } catch {
    return null;
  }
}
