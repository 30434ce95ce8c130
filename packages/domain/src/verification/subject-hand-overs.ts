import type { AuditAction } from '../audit/audit-entry.ts';
import type { Attempt, AuditRecorder } from '../audit/audit-recorder.ts';
import { CountersignError, isCountersignError, tooManyHandOvers } from '../errors.ts';
import type { BasePorts } from './base-ports.ts';
import { fromRecord } from './from-record.ts';
import {
  HAND_OVER_LIFETIME_MS,
  type HandOverCode,
  type HandOverEnd,
  handOverEnd,
  hashOfHandOver,
  isHandOverCode,
  newHandOverCode,
  nextHandOverAt,
} from './hand-over-code.ts';
import type { HandOverPlace, HandOverRepository } from './hand-over-repository.ts';
import { checkMove } from './status.ts';
import type { SubjectAccess, SubjectLinks } from './subject-access.ts';
import type { Verification } from './verification.ts';
import type { VerificationRecord } from './verification-record.ts';
import { visiblePart } from './visible-part.ts';

/** A code as the device sees it that shows it. */
export interface HandOver {
  /** Keep it from logs: with it, another device continues. */
  readonly code: string;
  /** The address that another device opens. */
  readonly url: string;
  readonly expiresAt: Date;
  /** Why the code no longer works; null while it works. */
  readonly end: HandOverEnd | null;
}

/** The parts of the address that another device opened. */
export interface HandOverReference {
  readonly verificationId: string;
  readonly code: string;
}

/** The subject's operations to continue on another device. */
export interface SubjectHandOvers {
  /**
   * Issues a code, which works once and for `HAND_OVER_LIFETIME_MS`, and ends the one before. Recorded in the audit log.
   * @throws CountersignError `LINK_INVALID`, `LINK_EXPIRED`; `ILLEGAL_TRANSITION` if nothing is left to answer; `TOO_MANY_HAND_OVERS` with
   * `data.retryAt`
   */
  issueHandOver(access: SubjectAccess): Promise<HandOver>;
  /**
   * Returns a code that this device shows; null if it is not the last one of the verification.
   * @throws CountersignError `LINK_INVALID`, `LINK_EXPIRED`
   */
  handOverOf(access: SubjectAccess, code: string): Promise<HandOver | null>;
  /**
   * Reads which verification a code continues. Changes nothing: programs that show previews open addresses too.
   * @throws CountersignError `HAND_OVER_ENDED` with `data.end`. A wrong code is like an expired one
   */
  openHandOver(reference: HandOverReference): Promise<{ verification: Verification; expiresAt: Date }>;
  /**
   * Uses a code up. Of several calls at once, one gets the access. Recorded in the audit log, refusals of a right code too.
   * @throws CountersignError `HAND_OVER_ENDED` as `openHandOver`
   */
  spendHandOver(reference: HandOverReference): Promise<{ access: SubjectAccess; verification: Verification }>;
}

/** The actions of the audit entries. */
export const ISSUE_HAND_OVER_ACTION: AuditAction = 'hand_overs.issue';
export const SPEND_HAND_OVER_ACTION: AuditAction = 'hand_overs.spend';

export function createSubjectHandOvers(
  ports: Pick<BasePorts, 'clock' | 'flows' | 'secrets'> & {
    verifications: Pick<BasePorts['verifications'], 'findForAnyClient'>;
    handOvers: HandOverRepository;
    recorder: Pick<AuditRecorder, 'act' | 'refused'>;
    subjectLinks: Pick<SubjectLinks, 'forReading' | 'forWriting'>;
  },
  { publicBaseUrl }: { readonly publicBaseUrl: string },
): SubjectHandOvers {
  const { verifications, handOvers, recorder, subjectLinks, clock, flows, secrets } = ports;

  const shown = (stored: HandOverCode, owner: VerificationRecord, code: string): HandOver => ({
    code,
    url: `${publicBaseUrl}/verify/${owner.id}/continue/${code}`,
    expiresAt: stored.expiresAt,
    end: handOverEnd(stored, owner, clock.now()),
  });

  async function answerable(access: SubjectAccess): Promise<VerificationRecord> {
    const owner = await subjectLinks.forWriting(access);
    checkMove('saveDraft', owner);
    return owner;
  }

  /** Stores a new code. @throws CountersignError as `issueHandOver` */
  async function issue(access: SubjectAccess, owner: VerificationRecord): Promise<HandOver> {
    const code = newHandOverCode(secrets);
    const { id: verificationId, clientId, linkVersion, linkExpiresAt } = owner;
    const codeHash = hashOfHandOver(secrets, { verificationId, linkVersion }, code);
    const issuedAt = clock.now();
    const expiresAt = new Date(Math.min(issuedAt.getTime() + HAND_OVER_LIFETIME_MS, linkExpiresAt.getTime()));
    const stored = await handOvers.issue({ clientId, verificationId, linkVersion, codeHash, issuedAt, expiresAt });
    if (stored !== null) return shown(stored, owner, code);
    // The verification was changed in the meantime, or other calls got the last codes.
    const current = await answerable(access);
    await requireFewer(current);
    throw new CountersignError('VERSION_CONFLICT');
  }

  /** @throws CountersignError `TOO_MANY_HAND_OVERS` */
  async function requireFewer(owner: VerificationRecord): Promise<void> {
    const last = await handOvers.find(placeOf(owner));
    const retryAt = last && nextHandOverAt(last, clock.now());
    if (retryAt !== null) throw tooManyHandOvers(retryAt);
  }

  /** Finds a verification and its code. @throws CountersignError `HAND_OVER_ENDED` if the code is not its last one */
  async function matching({ verificationId, code }: HandOverReference) {
    const owner = await verifications.findForAnyClient(verificationId);
    const stored = owner && (await handOvers.find(placeOf(owner)));
    if (owner === null || stored === null || !isHandOverCode(secrets, stored, code)) throw ended('expired');
    return { owner, stored };
  }

  function requireWorking(stored: HandOverCode, owner: VerificationRecord): void {
    const end = handOverEnd(stored, owner, clock.now());
    if (end !== null) throw ended(end);
  }

  return {
    async issueHandOver(access) {
      const owner = await answerable(access);
      const attempt = attemptOf(ISSUE_HAND_OVER_ACTION, owner);
      try {
        await requireFewer(owner);
      } catch (error) {
        // Counted and summarised, so that a button pressed again and again does not fill the log.
        if (isCountersignError(error, 'TOO_MANY_HAND_OVERS')) await recorder.refused(attempt, error.code);
        throw error;
      }
      return recorder.act({ attempt, run: () => issue(access, owner) });
    },

    async handOverOf(access, code) {
      const owner = await subjectLinks.forReading(access);
      const stored = await handOvers.find(placeOf(owner));
      return stored !== null && isHandOverCode(secrets, stored, code) ? shown(stored, owner, code) : null;
    },

    async openHandOver(reference) {
      const { owner, stored } = await matching(reference);
      requireWorking(stored, owner);
      const verification = visiblePart(fromRecord(owner, flows));
      return { verification, expiresAt: stored.expiresAt };
    },

    async spendHandOver(reference) {
      const { owner, stored } = await matching(reference);
      const attempt = attemptOf(SPEND_HAND_OVER_ACTION, owner);
      const end = handOverEnd(stored, owner, clock.now());
      if (end !== null) {
        await recorder.refused(attempt, 'HAND_OVER_ENDED');
        throw ended(end);
      }
      await recorder.act({
        attempt,
        async run() {
          if ((await handOvers.spend(stored, clock.now())) !== null) return;
          const now = await matching(reference);
          requireWorking(now.stored, now.owner);
          throw new CountersignError('VERSION_CONFLICT');
        },
      });
      const access = { verificationId: owner.id, linkVersion: stored.linkVersion };
      return { access, verification: visiblePart(fromRecord(owner, flows)) };
    },
  };
}

function placeOf({ clientId, id: verificationId }: VerificationRecord): HandOverPlace {
  return { clientId, verificationId };
}

/** Audit entries outlast the erasure, and these name the person's verification: they store no network address. */
function attemptOf(action: AuditAction, { clientId, id: targetId }: VerificationRecord): Attempt {
  return { actor: { kind: 'anonymous', id: null }, from: null, action, clientId, targetId, detail: {} };
}

function ended(end: HandOverEnd): CountersignError {
  return new CountersignError('HAND_OVER_ENDED', undefined, { data: { end } });
}
