import { z } from 'zod';
import { CountersignError } from '../errors.ts';
import {
  EVIDENCE_CONTENT_TYPES,
  EVIDENCE_KINDS,
  EVIDENCE_MAX_BYTES,
  type EvidenceContentType,
  type EvidenceFile,
  type EvidenceKind,
} from '../evidence/evidence-file.ts';
import { parseInput } from '../parse.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { ChangeVerification } from './change-verification.ts';
import { invalidLink, type Links } from './link.ts';
import { attachFile, completeStep, submit } from './subject-moves.ts';
import type { Verification } from './verification.ts';
import { fromRecord, type VerificationRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** What a checked link grants: one verification, until the link is renewed or expires. */
export interface SubjectAccess {
  readonly verificationId: string;
  readonly linkVersion: number;
}

/** What is known of an upload once its content was judged and stored. */
export interface NewEvidenceFile {
  readonly step: string;
  readonly kind: EvidenceKind;
  readonly contentType: EvidenceContentType;
  /** In bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * What the subject does. Every call but `open` takes the access that `open` gave, and throws `LINK_INVALID` or
 * `LINK_EXPIRED` once that no longer holds; moves that the state does not allow are `ILLEGAL_TRANSITION`.
 */
export interface CompleteVerification {
  /** Checks the last part of a `verificationUrl`, `{id}.{token}`. Changes nothing. @throws `LINK_INVALID`, `LINK_EXPIRED` */
  open(reference: string): Promise<{ access: SubjectAccess; verification: Verification }>;
  /** @throws `STEP_OUT_OF_TURN`, `FILE_LIMIT_REACHED`, `INVALID_PARAMETERS` */
  attachFile(
    access: SubjectAccess,
    input: NewEvidenceFile,
  ): Promise<{ file: EvidenceFile; verification: Verification }>;
  /** @throws `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS` */
  completeStep(access: SubjectAccess, step: string, input: unknown): Promise<Verification>;
  /** @throws `STEPS_INCOMPLETE` */
  submit(access: SubjectAccess): Promise<Verification>;
}

const newFileSchema: z.ZodType<NewEvidenceFile> = z.strictObject({
  step: z.string(),
  kind: z.enum(EVIDENCE_KINDS),
  contentType: z.enum(EVIDENCE_CONTENT_TYPES),
  size: z.int().min(1).max(EVIDENCE_MAX_BYTES),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export function createCompleteVerification(
  ports: {
    verifications: VerificationRepository;
    change: ChangeVerification;
    clock: Clock;
    ids: Ids;
    links: Links;
  },
  settings: { minimumAge: number },
): CompleteVerification {
  const { verifications, change, clock, ids, links } = ports;

  function requireLiving({ linkExpiresAt }: VerificationRecord): void {
    if (clock.now() >= linkExpiresAt) throw new CountersignError('LINK_EXPIRED', 'This link has expired');
  }

  /** How the subject's changes find their verification: only while the link that was opened still is the one. */
  const reach =
    ({ verificationId, linkVersion }: SubjectAccess) =>
    async () => {
      const record = await verifications.findForAnyClient(verificationId);
      if (record === null || record.linkVersion !== linkVersion) throw invalidLink();
      requireLiving(record);
      return record;
    };

  const actor = { kind: 'subject', id: null } as const;

  return {
    async open(reference) {
      const verificationId = links.idIn(reference);
      const record = await verifications.findForAnyClient(verificationId);
      if (record === null) throw invalidLink();
      links.check(reference, verificationId, record.linkVersion);
      requireLiving(record);
      return { access: { verificationId, linkVersion: record.linkVersion }, verification: fromRecord(record) };
    },

    async attachFile(access, input) {
      const upload = parseInput(newFileSchema, input);
      const file: EvidenceFile = { id: ids.next(), ...upload, uploadedAt: clock.now().toISOString() };
      const verification = await change({
        find: reach(access),
        decide: (current) => attachFile(current, file),
        actor,
      });
      return { file, verification };
    },

    completeStep: (access, step, input) =>
      change({
        find: reach(access),
        decide: (current, now) => completeStep(current, { step, input }, { now, minimumAge: settings.minimumAge }),
        actor,
      }),

    submit: (access) => change({ find: reach(access), decide: (current, now) => submit(current, now), actor }),
  };
}
