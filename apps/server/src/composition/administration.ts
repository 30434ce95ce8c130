import { randomBytes } from 'node:crypto';
import { createStaffManagement } from '@countersign/accounts';
import type { As, Countersign } from '@countersign/domain';
import { type AppliedErasureLog, completeErasureLog, type RetentionSettings } from '@countersign/domain/retention';
import type { ManageStaff } from '@countersign/domain/staff';
import { createFileErasureLog } from '@countersign/evidence';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { createSystemClock } from '@countersign/runtime';
import type {
  AdministrationSettings,
  LinkSettings,
  SealingSettings,
  StorageSettings,
} from '../config/settings.ts';
import { chooseDatabase } from '../database/choose-database.ts';
import { type CoreParts, createCore } from './core.ts';
import { createEvidence } from './evidence.ts';
import { requiredSecretKeys, sealingWith } from './sealing.ts';
import { requireSecretsThatOpen } from './secret-check.ts';
import { allowsHttp, createSender } from './webhooks.ts';

/** An open database, and the actions of the command line on it. They are recorded in the audit log. */
export interface OpenAdministration extends Pick<As, 'run' | 'runUnchecked'> {
  close(): Promise<void>;
}

/** Creates the core for a command. Commands have no rate limit and print their own faults. */
function commandCore({
  // Only links are signed with secrets, and only the commands that print links know them.
  secretKeys = [randomBytes(32)],
  publicBaseUrl = '',
  webhooksOverHttp = false,
  localReturnAddresses = false,
  retention,
  // Only the commands that know the secrets read or write personal data.
  sealing = 'none',
  ...parts
}: Pick<CoreParts, 'storage' | 'staff' | 'webhookSender' | 'evidence' | 'erasureLog'> & {
  readonly sealing?: CoreParts['sealing'];
  readonly secretKeys?: CoreParts['secretKeys'];
  readonly publicBaseUrl?: string;
  readonly webhooksOverHttp?: boolean;
  readonly localReturnAddresses?: boolean;
  readonly retention?: RetentionSettings;
}): Countersign {
  const rateLimiter = createMemoryRateLimiter();
  const settings = { publicBaseUrl, webhooksOverHttp, localReturnAddresses, retention };
  return createCore({ ...parts, sealing, rateLimiter, secretKeys, settings }).countersign;
}

/** Binds the actions to an operator with access to the machine. */
function asCommandLine(core: Countersign): As {
  return core.as({ kind: 'command_line' });
}

/** Opens an existing database to verify or export its audit log. Changes nothing in it. */
export async function openAuditLog(
  settings: StorageSettings,
): Promise<Pick<Countersign, 'verifyAudit' | 'exportAudit'> & Pick<OpenAdministration, 'close'>> {
  const storage = await (await chooseDatabase(settings)).openToRead();
  const { verifyAudit, exportAudit } = commandCore({ storage });
  return { verifyAudit, exportAudit, close: () => storage.close() };
}

/**
 * Opens the database, and erases again what the erasure log names and the database still has. Needs no secrets: erasing reads no
 * personal data.
 * @param options.complete first writes what the log lacks from the receipts of the database
 */
export async function applyErasureLog(
  settings: StorageSettings,
  { complete }: { readonly complete: boolean },
): Promise<AppliedErasureLog> {
  const storage = await (await chooseDatabase(settings)).open();
  try {
    const erasureLog = createFileErasureLog({ directory: settings.erasureLogDir });
    if (complete) await completeErasureLog(storage.retention, erasureLog);
    const evidence = await createEvidence(settings);
    try {
      return await commandCore({ storage, evidence, erasureLog }).retention.applyErasureLog();
    } finally {
      evidence.close();
    }
  } finally {
    await storage.close();
  }
}

/** Opens the database, and ends all releases of copies of people's data and all hand-over codes. */
export async function endReleases(settings: StorageSettings): Promise<void> {
  const storage = await (await chooseDatabase(settings)).open();
  try {
    const { exports, endHandOvers } = commandCore({ storage });
    await endHandOvers();
    await exports.endAll();
  } finally {
    await storage.close();
  }
}

/** Opens the database for commands about clients, subscriptions and API keys. Servers may run meanwhile. */
export async function openAdministration(settings: AdministrationSettings): Promise<OpenAdministration> {
  const database = await chooseDatabase(settings);
  const storage = await database.open();
  const { localReturnAddresses, retention } = settings;
  return {
    ...asCommandLine(commandCore({ storage, localReturnAddresses, retention })),
    close: () => storage.close(),
  };
}

/** Opens the database to compute warnings of waiting cases. Servers may run meanwhile. */
export async function openWarnings(
  settings: SealingSettings,
): Promise<Countersign['warnings'] & Pick<OpenAdministration, 'close'>> {
  const secretKeys = requiredSecretKeys(settings);
  const storage = await (await chooseDatabase(settings)).open();
  const { warnings } = commandCore({ storage, secretKeys, sealing: sealingWith(secretKeys) });
  return { ...warnings, close: () => storage.close() };
}

/** The actions on users, and the look-up by e-mail address with which commands name them. */
export interface StaffAdministration extends OpenAdministration {
  findByEmail: ManageStaff['findByEmail'];
}

/** Opens the database for commands about users. Servers may run meanwhile. */
export async function openStaffAdministration(settings: StorageSettings): Promise<StaffAdministration> {
  const database = await chooseDatabase(settings);
  // Opened before the accounts: it creates the file of SQLite.
  const storage = await database.open();
  try {
    const staff = await createStaffManagement({
      database: database.accounts,
      clock: createSystemClock(),
      migrate: settings.migrate,
    });
    return {
      ...asCommandLine(commandCore({ storage, staff })),
      findByEmail: staff.findByEmail,
      async close() {
        await staff.close();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/**
 * Opens the database for commands about verifications and webhooks. Servers may run meanwhile. Links are signed, and answers
 * and secrets of endpoints are unsealed, with the servers' secrets.
 * @throws SettingError when the secrets are not known here, or open nothing
 */
export async function openVerificationAdministration(settings: LinkSettings): Promise<OpenAdministration> {
  const { publicBaseUrl, webhooks, retention } = settings;
  const secretKeys = requiredSecretKeys(settings);
  const database = await chooseDatabase(settings);
  const storage = await database.open();
  try {
    await requireSecretsThatOpen({ storage, accounts: database.accounts, secretKeys }, settings);
  } catch (error) {
    await storage.close();
    throw error;
  }
  const sender = createSender(webhooks);
  const evidence = await createEvidence(settings);
  const core = commandCore({
    storage,
    sealing: sealingWith(secretKeys),
    secretKeys,
    publicBaseUrl,
    retention,
    evidence,
    erasureLog: createFileErasureLog({ directory: settings.erasureLogDir }),
    webhookSender: sender,
    webhooksOverHttp: allowsHttp(webhooks),
  });
  return {
    ...asCommandLine(core),
    async close() {
      sender.close();
      evidence.close();
      await storage.close();
    },
  };
}
