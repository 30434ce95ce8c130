import type { Clock, RateLimiter } from '@countersign/domain';
import type { MailRecipients } from '@countersign/domain/mail';
import type { Accounts, ManageStaff } from '@countersign/domain/staff';
import { createPasswords, type Passwords } from './credentials/passwords.ts';
import { prepare } from './database/open-database.ts';
import type { AccountsDatabase } from './database/tables.ts';
import { createPasskeys } from './passkeys/passkeys.ts';
import { createChallenges } from './second-factor/challenges.ts';
import { createSealing } from './second-factor/sealing.ts';
import { createSecondFactors } from './second-factor/second-factors.ts';
import { createConfirmations, createCookieJar } from './sessions/cookies.ts';
import { versionedSecrets } from './sessions/secrets.ts';
import { createSessions } from './sessions/sessions.ts';
import { createAttempts, createUsedCodes } from './sign-in/attempts.ts';
import { createConfirming } from './sign-in/confirm-identity.ts';
import { createDevices } from './sign-in/devices.ts';
import type { AccountsParts } from './sign-in/parts.ts';
import { createSecondFactor } from './sign-in/second-factor.ts';
import { createSigningIn } from './sign-in/sign-in.ts';
import type { SingleSignOnOptions } from './single-sign-on/settings.ts';
import { createSingleSignOn } from './single-sign-on/single-sign-on.ts';
import { isAccessWithdrawn } from './staff/identities.ts';
import { createManageStaff } from './staff/manage-staff.ts';
import { createRecipients } from './staff/recipients.ts';

/** Options of `createStaffManagement`. */
export interface StaffManagementOptions {
  readonly database: AccountsDatabase;
  readonly clock: Clock;
  /** Whether to run pending migrations (default). Otherwise outdated tables are refused. */
  readonly migrate?: boolean | undefined;
}

/** Options of `createAccounts`. */
export interface AccountsOptions extends StaffManagementOptions {
  /** The key ring, newest first. It signs cookies and seals second factors. */
  readonly secretKeys: readonly Uint8Array[];
  /** Determines the path of cookies, and whether they are `Secure`. */
  readonly publicBaseUrl: string;
  /** Counts attempts. Several instances must share it. */
  readonly rateLimiter: RateLimiter;
  /** The name that authenticator apps show. */
  readonly appName?: string | undefined;
  /** Identity providers at which users sign in, beside or instead of passwords. */
  readonly singleSignOn?: SingleSignOnOptions | undefined;
}

interface Closable {
  close(): Promise<void>;
}

/**
 * Manages users and one-time links without sign-in, for a command line.
 * @throws AccountsOpenError
 */
export async function createStaffManagement(options: StaffManagementOptions): Promise<ManageStaff & Closable> {
  const { database, close } = await prepare(options.database, { migrate: options.migrate ?? true });
  return { ...createManageStaff(database, options.clock, options.database.kind), close };
}

/**
 * Creates the accounts of users, in the service's own database. Only the tables are checked at start: libraries load and
 * connections open on first use.
 * @throws AccountsOpenError
 */
export function createAccounts(
  options: AccountsOptions,
): Promise<Accounts & ManageStaff & MailRecipients & Closable> {
  return assembleAccounts(options, createPasswords());
}

/** `createAccounts` with another password hash, for tests. */
export async function assembleAccounts(
  options: AccountsOptions,
  passwords: Passwords,
): Promise<Accounts & ManageStaff & MailRecipients & Closable> {
  const { clock, rateLimiter, publicBaseUrl, appName = 'Countersign', singleSignOn } = options;
  const secrets = versionedSecrets(options.secretKeys);
  const cookies = createCookieJar(publicBaseUrl, secrets);
  const { database, close } = await prepare(options.database, { migrate: options.migrate ?? true });
  const sessions = createSessions(database, clock);
  const confirmations = createConfirmations(cookies);
  const devices = createDevices(database, cookies);
  const staff = createManageStaff(database, clock, options.database.kind);

  const { kind } = options.database;
  const sealing = createSealing(secrets);

  const parts: AccountsParts = {
    database,
    kind,
    async currentSession(header) {
      const token = cookies.read(header, cookies.names.session);
      const session = token === null ? null : await sessions.find(token);
      if (token === null || session === null) return null;
      return { ...session, confirmedAt: confirmations.heldBy(header, token, session.confirmedAt) };
    },
    sessions,
    confirmations,
    challenges: createChallenges(database, cookies, clock),
    secondFactors: createSecondFactors({ database, kind, sealing, clock, appName }),
    cookies,
    attempts: createAttempts({ rateLimiter, clock, devices, secret: secrets[0].value }),
    devices,
    usedCodes: createUsedCodes(database, clock),
    passwords,
    async mayUsePassword({ id, role }) {
      const isOff = singleSignOn?.passwordsOff.includes(role) || (await isAccessWithdrawn(await database(), id));
      return !isOff || staff.identities.isPasswordAllowed(id);
    },
    async providersOf(userId) {
      if (singleSignOn === undefined) return [];
      const issuers = await staff.identities.issuersOf(userId);
      const connected = singleSignOn.providers.filter(({ issuer }) => issuers.includes(issuer));
      return connected.map(({ id, name }) => ({ id, name }));
    },
    clock,
    appName,
  };
  const passkeys = createPasskeys(parts, { rateLimiter, publicBaseUrl });
  return {
    ...createSigningIn(parts),
    ...createSecondFactor(parts),
    ...createConfirming(parts),
    ...staff,
    ...createRecipients(database),
    ...(passkeys !== null && { passkeys }),
    ...(singleSignOn !== undefined && {
      singleSignOn: createSingleSignOn(
        { ...parts, identities: staff.identities, rateLimiter, publicBaseUrl },
        singleSignOn,
      ),
    }),
    close,
  };
}
