import { kyselyAdapter } from '@better-auth/kysely-adapter';
import type { Clock } from '@countersign/domain';
import { PASSWORD_MAX, PASSWORD_MIN, STAFF_SESSION } from '@countersign/domain/staff';
import type { DBAdapter } from 'better-auth';
import { type BetterAuthOptions, betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { newBackupCodes } from '../credentials/backup-codes.ts';
import type { Passwords } from '../credentials/passwords.ts';
import type { AccountsDatabase, StaffDatabase } from '../database/tables.ts';
import type { CookieJar } from '../sessions/cookies.ts';
import type { VersionedSecret } from '../sessions/secrets.ts';
import { withHashedSessions } from './hashed-sessions.ts';
import { withKnownSecrets } from './known-secrets.ts';

export interface BetterAuthParts {
  readonly db: StaffDatabase;
  readonly kind: AccountsDatabase['kind'];
  readonly secrets: readonly VersionedSecret[];
  readonly publicBaseUrl: string;
  readonly cookies: CookieJar;
  readonly passwords: Passwords;
  readonly clock: Clock;
  /** The name that authenticator apps show. */
  readonly appName: string;
}

/** The endpoints that begin a session with a code, which is a second factor. */
const WITH_A_CODE = ['/two-factor/verify-totp', '/two-factor/verify-backup-code'];

/** Configures better-auth. Its endpoints are called as functions and never mounted. */
export function configureBetterAuth(parts: BetterAuthParts) {
  const { secrets, publicBaseUrl, cookies, passwords, clock, appName } = parts;
  return betterAuth({
    appName,
    baseURL: publicBaseUrl,
    basePath: '/account',
    secrets: [...secrets],
    database: adapterFor(parts),
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
      expiresIn: STAFF_SESSION.seconds,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
      additionalFields: {
        withSecondFactor: { type: 'boolean', required: true, input: false, fieldName: 'with_second_factor' },
        lastSeenAt: { type: 'date', required: true, input: false, fieldName: 'last_seen_at' },
      },
    },
    // The identifier of a sign-in that waits for its second factor is as sensitive as a password.
    verification: { ...VERIFICATION, storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: { hash: passwords.hash, verify: passwords.verify },
    },
    plugins: [
      // The rate limiter port counts attempts instead, for all instances together.
      twoFactor({
        issuer: appName,
        schema: TWO_FACTOR,
        // Only for users without a password. They confirm their identity at a provider first.
        allowPasswordless: true,
        accountLockout: { enabled: false },
        backupCodeOptions: { storeBackupCodes: 'encrypted', customBackupCodesGenerate: newBackupCodes },
      }),
    ],
    databaseHooks: {
      session: {
        create: {
          before: async (session, context) => {
            const now = clock.now();
            const expiresAt = new Date(now.getTime() + STAFF_SESSION.seconds * 1_000);
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

function adapterFor({ db, kind, secrets }: BetterAuthParts): (options: BetterAuthOptions) => DBAdapter {
  // Each step is a single statement, and steps that must not happen twice check before they write.
  const create = kyselyAdapter(db, { type: kind, transaction: false });
  return (options) => withKnownSecrets(withHashedSessions(create(options)), secrets);
}

/** Names of better-auth's tables and columns in our migrations. Columns not listed keep better-auth's name. */
const USER = {
  modelName: 'staff_users',
  fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
} as const;

const ACCOUNT = {
  modelName: 'staff_accounts',
  fields: {
    userId: 'user_id',
    accountId: 'account_id',
    providerId: 'provider_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
} as const;

const SESSION = {
  modelName: 'staff_sessions',
  fields: {
    userId: 'user_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
} as const;

const VERIFICATION = {
  modelName: 'staff_verifications',
  fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
} as const;

/** Columns of the plugin for second factors. */
const TWO_FACTOR = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'staff_two_factors',
    fields: {
      userId: 'user_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
} as const;
