import type { RetentionRules } from '../retention/data-state.ts';
import type { BasePorts } from '../verification/base-ports.ts';
import type { ChangeVerification } from '../verification/change-verification.ts';
import { dropReplacedUploads } from '../verification/drop-replaced-uploads.ts';
import { fromRecord } from '../verification/from-record.ts';
import { planReplacedUploads } from '../verification/replaced-uploads.ts';
import type { RulesOf } from '../verification/retained.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { RetentionRepository } from './retention-repository.ts';

/**
 * Deletes some of the replaced uploads whose period has ended. A verification that fails is reported and tried again after an hour.
 *
 * Concurrency: of several instances, one deletes an upload. A change at the same time wins, and the deletion is decided again.
 * @returns whether none is left that is due
 */
export type DropUploads = (now: Date) => Promise<boolean>;

/** Verifications that one call looks at. */
const AT_ONCE = 50;

/** Wait before a failed verification is tried again, so that its faults do not fill the log. */
const REST_MS = 60 * 60 * 1000;

const SYSTEM = { kind: 'system', id: null } as const;

export function createDropUploads(
  ports: Pick<BasePorts, 'flows' | 'onFault'> & {
    retention: Pick<RetentionRepository, 'find' | 'uploadsDue' | 'schedule'>;
    verifications: Pick<VerificationRepository, 'find'>;
    change: ChangeVerification;
    rulesOf: RulesOf;
  },
): DropUploads {
  const { retention, verifications, flows, change, rulesOf, onFault } = ports;

  async function lookAgain(verification: RetainedVerification, uploadsCheckAt: Date | null): Promise<void> {
    const { clientId, id: verificationId, retentionCheckAt: checkAt } = verification;
    await retention.schedule({
      place: { clientId, verificationId },
      expected: verification,
      checkAt,
      uploadsCheckAt,
    });
  }

  async function dropOf(retained: RetainedVerification, rules: RetentionRules, now: Date): Promise<void> {
    const { clientId, id } = retained;
    // The erasure deletes all files.
    if (retained.erasedAt !== null) return lookAgain(retained, null);
    const find = () => verifications.find(clientId, id);
    const record = await find();
    if (record === null) return;
    const { due, checkAt } = planReplacedUploads(fromRecord(record, flows), rules, now);
    if (due.length === 0) return lookAgain({ ...retained, version: record.version }, checkAt);
    const decide: Parameters<ChangeVerification>[0]['decide'] = (current) => {
      const plan = planReplacedUploads(current, rules, now);
      return plan.due.length === 0 ? null : dropReplacedUploads(current, plan);
    };
    await change({ find, actor: SYSTEM, decide });
  }

  return async (now) => {
    const found = await retention.uploadsDue({ now, limit: AT_ONCE });
    for (const retained of found) {
      const { clientId, id: verificationId } = retained;
      try {
        await dropOf(retained, await rulesOf(clientId), now);
      } catch (fault) {
        onFault(fault);
        const current = await retention.find({ clientId, verificationId });
        if (current !== null) await lookAgain(current, new Date(now.getTime() + REST_MS));
      }
    }
    return found.length < AT_ONCE;
  };
}
