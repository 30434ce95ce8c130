import type { LinkSettings } from '../config/settings.ts';
import { asCommandLine, commandCore, type OpenAdministration } from './administration.ts';
import { chooseDatabase } from './choose-database.ts';
import { requiredSecretKeys, sealing } from './sealing.ts';

/** What an operator's commands for single verifications work with. */
export type VerificationAdministration = OpenAdministration;

/**
 * Opens the database, also beside a running server. Links are signed and answers unsealed by the servers' own secrets.
 * @throws SettingError where they are not known here
 */
export async function openVerificationAdministration(settings: LinkSettings): Promise<VerificationAdministration> {
  const secretKeys = requiredSecretKeys(settings);
  const { storage } = sealing(await (await chooseDatabase(settings)).open(), secretKeys);
  const core = commandCore({ storage, secretKeys, publicBaseUrl: settings.publicBaseUrl });
  return { run: asCommandLine(core).run, close: () => storage.close() };
}
