import { CountersignError, type ManagedVerification, type ManageVerification } from '@countersign/domain';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import type { LinkSettings } from '../config/settings.ts';
import { createLog } from '../logging/log.ts';
import { chooseDatabase } from './choose-database.ts';
import { createCoreContainer } from './core-container.ts';
import { requiredSecretKeys, sealing } from './sealing.ts';
import { tokens } from './tokens.ts';

/** What an operator's commands for single verifications work with. */
export interface VerificationAdministration extends ManageVerification {
  /** The verification of whichever client, as an operator's. @throws CountersignError `VERIFICATION_NOT_FOUND` */
  target(verificationId: string): Promise<ManagedVerification>;
  close(): Promise<void>;
}

const silence = { write: () => undefined };

/**
 * Opens the database, also beside a running server. Links are signed and answers unsealed by the servers' own secrets.
 * @throws SettingError where they are not known here
 */
export async function openVerificationAdministration(settings: LinkSettings): Promise<VerificationAdministration> {
  const secretKeys = requiredSecretKeys(settings);
  const { storage } = sealing(await (await chooseDatabase(settings)).open(), secretKeys);
  const core = createCoreContainer({
    storage,
    rateLimiter: createMemoryRateLimiter(),
    secretKeys,
    settings: { publicBaseUrl: settings.publicBaseUrl },
    log: createLog({ level: 'silent', output: silence }),
  });
  return {
    ...core.resolve(tokens.countersign).management,
    async target(verificationId) {
      const record = await storage.verifications.findForAnyClient(verificationId);
      if (record === null) throw new CountersignError('VERIFICATION_NOT_FOUND', 'Verification not found');
      return { clientId: record.clientId, verificationId, actor: { kind: 'operator', id: null } };
    },
    close: () => storage.close(),
  };
}
