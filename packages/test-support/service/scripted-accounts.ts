import type { Accounts, SignInOutcome, StaffSession, User, Visitor } from '@countersign/domain';

export const RIGHT = { password: 'violet anchor 7 gravel', code: '424242', token: 'the-token-of-a-link' } as const;

/** One person's account in memory, which does as it is told. */
export interface ScriptedAccounts extends Accounts {
  /** How many sessions there are. */
  sessions(): number;
  /** What was asked of it, in order. */
  readonly asked: readonly string[];
  /** From now on: the next attempts are throttled, a code is asked for, sessions end at once. */
  script(change: Partial<Script>): void;
}

interface Script {
  readonly throttled: boolean;
  readonly hasSecondFactor: boolean;
  readonly endsSessions: boolean;
}

export function scriptedAccounts(user: User, now: () => Date): ScriptedAccounts {
  const sessions = new Map<string, StaffSession>();
  const asked: string[] = [];
  let script: Script = { throttled: false, hasSecondFactor: false, endsSessions: false };
  let made = 0;

  function begin(withSecondFactor: boolean): SignInOutcome {
    made += 1;
    const cookie = `session=${made}`;
    if (!script.endsSessions)
      sessions.set(cookie, { user, signedInAt: now(), withSecondFactor, confirmedAt: null });
    return { outcome: 'signed_in', setCookies: [`${cookie}; HttpOnly`, 'half=; Max-Age=0'] };
  }

  function attempt<R>(name: string, isRight: boolean, then: () => R) {
    asked.push(name);
    if (script.throttled) return { outcome: 'throttled', retryAfterSeconds: 60 } as const;
    return isRight ? then() : ({ outcome: 'refused' } as const);
  }

  const halfWay = (): SignInOutcome => ({ outcome: 'second_factor_needed', setCookies: ['half=1; HttpOnly'] });
  const enter = (): SignInOutcome => (script.hasSecondFactor ? halfWay() : begin(false));
  const isOwn = ({ cookies }: Visitor, password: string): boolean =>
    sessions.has(cookies ?? '') && password === RIGHT.password;

  return {
    asked,
    sessions: () => sessions.size,
    script: (change) => {
      script = { ...script, ...change };
    },
    signInPath: '/account/sign-in',
    signOutPath: '/account/sign-out',
    confirmPath: '/account/confirm',
    identify: async (cookies) => sessions.get(cookies ?? '') ?? null,
    nameOf: async () => user.name,
    signIn: async (_visitor, { email, password }) =>
      attempt('signIn', email === user.email && password === RIGHT.password, enter),
    enterSecondFactor: async (_visitor, code) =>
      attempt('enterSecondFactor', code === RIGHT.code, () => begin(true)),
    async signOut({ cookies }) {
      asked.push('signOut');
      sessions.delete(cookies ?? '');
      return { setCookies: ['session=; Max-Age=0'] };
    },
    invitationOf: async (token) => (token === RIGHT.token ? { email: user.email, name: user.name } : null),
    acceptInvitation: async (_visitor, { password }) =>
      attempt('acceptInvitation', true, () =>
        password.length < 12 ? ({ outcome: 'password_refused', reason: 'too_short' } as const) : enter(),
      ),
    beginSecondFactor: async (visitor, password) =>
      attempt('beginSecondFactor', isOwn(visitor, password), () => ({
        outcome: 'begun' as const,
        uri: 'otpauth://totp/x',
        secret: 'JBSWY3DPEHPK3PXP',
        backupCodes: ['alpha-1111'],
      })),
    confirmSecondFactor: async (_visitor, code) =>
      attempt('confirmSecondFactor', code === RIGHT.code, () => begin(true)),
    hasSecondFactor: async () => script.hasSecondFactor,
    removeSecondFactor: async (visitor, password) =>
      attempt('removeSecondFactor', isOwn(visitor, password), () => ({ outcome: 'removed' as const })),
    confirmIdentity: async (visitor, password) =>
      attempt('confirmIdentity', isOwn(visitor, password), () => ({
        outcome: 'confirmed' as const,
        setCookies: ['confirmation=1'],
      })),
  };
}
