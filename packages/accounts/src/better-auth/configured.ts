import { kyselyAdapter } from '@better-auth/kysely-adapter';
import type { Clock } from '@countersign/domain';
import { PASSWORD_MAX, PASSWORD_MIN } from '@countersign/domain';
import type { DBAdapter } from 'better-auth';
import { type BetterAuthOptions, betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { AccountsDatabase, StaffDatabase } from '../database/tables.ts';
import type { CookieJar } from '../sessions/cookies.ts';
import { SESSION_SECONDS } from '../sessions/session-token.ts';
import { ACCOUNT, SESSION, TWO_FACTOR, USER, VERIFICATION } from './field-names.ts';
import { withHashedSessions } from './hashed-sessions.ts';
import type { Passwords } from './passwords.ts';
import type { VersionedSecret } from './secrets.ts';

export interface BetterAuthParts {
  readonly db: StaffDatabase;
  readonly kind: AccountsDatabase['kind'];
  readonly secrets: readonly VersionedSecret[];
  readonly publicBaseUrl: string;
  readonly cookies: CookieJar;
  readonly passwords: Passwords;
  readonly clock: Clock;
  /** As apps for second factors show it. */
  readonly appName: string;
}

/** The endpoints that begin a session with a code, which is a second factor. */
const WITH_A_CODE = ['/two-factor/verify-totp', '/two-factor/verify-backup-code'];

/** better-auth as it is used here: called by name, never mounted. */
export function configureBetterAuth(parts: BetterAuthParts) {
  const { db, kind, secrets, publicBaseUrl, cookies, passwords, clock, appName } = parts;
  return betterAuth({
    appName,
    baseURL: publicBaseUrl,
    basePath: '/account',
    secrets: [...secrets],
    database: adapterFor(db, kind),
    user: {
      ...USER,
      additionalFields: {
        role: { type: 'string', required: true, input: false },
        clientId: { type: 'string', required: false, input: false, fieldName: 'client_id' },
      },
    },
    account: ACCOUNT,
    session: {
      ...SESSION,
      expiresIn: SESSION_SECONDS,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
      additionalFields: {
        withSecondFactor: { type: 'boolean', required: true, input: false, fieldName: 'with_second_factor' },
        lastSeenAt: { type: 'date', required: true, input: false, fieldName: 'last_seen_at' },
      },
    },
    // What identifies a sign-in that waits for its second factor is as good as a password.
    verification: { ...VERIFICATION, storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: { hash: passwords.hash, verify: passwords.verify },
    },
    plugins: [
      // Attempts are counted here, by the port, and so for all instances together.
      twoFactor({ issuer: appName, schema: TWO_FACTOR, accountLockout: { enabled: false } }),
    ],
    databaseHooks: {
      session: {
        create: {
          before: async (session, context) => {
            const now = clock.now();
            const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1_000);
            const withSecondFactor = WITH_A_CODE.includes(context?.path ?? '');
            return { data: { ...session, createdAt: now, lastSeenAt: now, expiresAt, withSecondFactor } };
          },
        },
      },
    },
    advanced: {
      cookiePrefix: cookies.prefix,
      useSecureCookies: cookies.attributes.secure,
      defaultCookieAttributes: cookies.attributes,
      ipAddress: { disableIpTracking: true },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  });
}

function adapterFor(db: StaffDatabase, kind: AccountsDatabase['kind']): (options: BetterAuthOptions) => DBAdapter {
  // Each of its steps is a statement that is whole in itself, and those that must not happen twice look before they write.
  const create = kyselyAdapter(db, { type: kind, transaction: false });
  return (options) => withHashedSessions(create(options));
}
