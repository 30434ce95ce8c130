import type { EvidenceFile } from '../evidence/evidence-file.ts';
import type { EvidenceKeeper } from '../evidence/evidence-keeper.ts';
import type { EvidencePlace } from '../evidence/evidence-store.ts';
import { SAMPLE_PICTURE } from '../evidence/sample-picture.ts';
import type { BasePorts } from '../verification/base-ports.ts';
import { type LabelPorts, labelsAfter, removedFiles } from '../verification/change-verification.ts';
import { eventCountAfter } from '../verification/event-limit.ts';
import { eventOf } from '../verification/events.ts';
import { fromRecord } from '../verification/from-record.ts';
import type { MoveContext } from '../verification/open-step.ts';
import { mailsAfter } from '../verification/subject-mails.ts';
import type { Transition } from '../verification/transition.ts';
import type { PendingVerification, Verification } from '../verification/verification.ts';
import { toRecord } from '../verification/verification-record.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import type { CaseWarnings } from '../verification/warnings/case-warnings.ts';
import { movesToSubmission, moveToOutcome, sampleFilesFor } from './sandbox-moves.ts';

/** Background job for test mode, run about once a second. */
export interface DriveSandbox {
  /**
   * Moves each verification of a test twin that was created with `metadata.sandboxOutcome`: from `pending` to `submitted` with
   * sample answers, then to its outcome. Changes by people win, and claimed verifications are left alone. A verification
   * that fails is reported and tried again after a minute.
   *
   * Concurrency: of two instances that drive one verification, one moves it; the other changes nothing.
   * @returns the number of verifications moved
   */
  drive(): Promise<{ readonly driven: number }>;
}

/** Verifications that one call moves. */
const AT_ONCE = 100;

/** Pause after a fault, so that a failing store is not asked every second and the log does not fill up. */
const REST_MS = 60 * 1000;

const SYSTEM = { kind: 'system', id: null } as const;

export function createDriveSandbox(
  ports: Pick<BasePorts, 'clock' | 'flows' | 'ids' | 'onFault'> &
    LabelPorts & {
      verifications: Pick<VerificationRepository, 'dueInSandbox' | 'commit'>;
      evidence: Pick<EvidenceKeeper, 'put' | 'discard'>;
      caseWarnings: Pick<CaseWarnings, 'after'>;
      readFlowRules: (clientId: string) => Promise<Omit<MoveContext, 'now'> & { readonly linkDays: number }>;
    },
  settings: { sendsMail: boolean },
): DriveSandbox {
  const { verifications, flows, evidence, clock, ids, onFault, readFlowRules, caseWarnings } = ports;
  const restUntil = new Map<string, number>();

  /** Returns whether it was moved: not if someone changed it first. */
  async function move(before: Verification, transitions: readonly Transition[], at: Date): Promise<boolean> {
    const next = transitions.at(-1)?.next ?? before;
    const events = transitions.map((made) =>
      eventOf(made.next, made.event, { id: ids.next(), at, actor: SYSTEM }),
    );
    const eventCount = transitions.reduce(
      (count, transition) => eventCountAfter({ status: before.status, eventCount: count }, transition),
      before.eventCount,
    );
    const record = toRecord({ ...next, eventCount });
    const mails = events.flatMap((event) => mailsAfter(event, next, settings));
    const labels = await labelsAfter(events, next, ports);
    const change = { record, expectedVersion: before.version, events, mails, labels };
    const { outcome } = await verifications.commit(change);
    if (outcome === 'conflict') return false;
    caseWarnings.after(next, events);
    await evidence.discard(removedFiles(before, next));
    return true;
  }

  async function submitSample(verification: PendingVerification): Promise<boolean> {
    const { content, contentType, sha256 } = SAMPLE_PICTURE;
    const rules = await readFlowRules(verification.clientId);
    const now = clock.now();
    const context = { now, ...rules };
    const picture = { contentType, sha256, size: content.length, warnings: [], uploadedAt: now.toISOString() };
    const files: EvidenceFile[] = sampleFilesFor(verification, context).map((file) => ({
      ...file,
      ...picture,
      id: ids.next(),
    }));
    const transitions = movesToSubmission(verification, files, context);
    const places = files.map(({ id: fileId }) => placeOf(verification, fileId));
    await Promise.all(places.map((place) => evidence.put(place, content)));
    const isMoved = await move(verification, transitions, now);
    if (!isMoved) await evidence.discard(places);
    return isMoved;
  }

  async function driveOne(verification: Verification): Promise<boolean> {
    const { sandboxOutcome } = verification;
    if (sandboxOutcome === null) return false;
    if (verification.status === 'pending') return submitSample(verification);
    if (verification.status !== 'submitted' || verification.claim !== null) return false;
    const { linkDays: linkLifetimeDays } = await readFlowRules(verification.clientId);
    const now = clock.now();
    return move(verification, [moveToOutcome(verification, sandboxOutcome, { now, linkLifetimeDays })], now);
  }

  return {
    async drive() {
      const now = clock.now().getTime();
      for (const [id, until] of restUntil) if (until <= now) restUntil.delete(id);
      let driven = 0;
      // Paused verifications are read again and must not displace others.
      for (const record of await verifications.dueInSandbox(AT_ONCE + restUntil.size)) {
        if (restUntil.has(record.id)) continue;
        try {
          if (await driveOne(fromRecord(record, flows))) driven += 1;
        } catch (fault) {
          restUntil.set(record.id, now + REST_MS);
          onFault(fault);
        }
      }
      return { driven };
    },
  };
}

function placeOf({ clientId, id: verificationId }: Verification, fileId: string): EvidencePlace {
  return { clientId, verificationId, fileId };
}
