import { z } from 'zod';
import { isCountersignError } from '../errors.ts';
import {
  acceptsPdf,
  EVIDENCE_CONTENT_TYPES,
  EVIDENCE_KINDS,
  EVIDENCE_MAX_BYTES,
  EVIDENCE_WARNINGS,
  type EvidenceContentType,
  type EvidenceFile,
  type EvidenceKind,
  type EvidenceWarning,
} from '../evidence/evidence-file.ts';
import { type FilePart, type FilePartName, unknownFile } from '../evidence/evidence-keeper.ts';
import { parseInput } from '../input/parse.ts';
import type { BasePorts } from './base-ports.ts';
import type { ChangeVerification } from './change-verification.ts';
import { fromRecord } from './from-record.ts';
import { openStepsOf } from './progress.ts';
import type { DocumentReadings } from './readings/document-readings.ts';
import type { SubjectAccess, SubjectLinks } from './subject-access.ts';
import { receiveFile, requireRoomFor } from './subject-moves.ts';
import { evidencePlacesOf, usableFiles, type Verification } from './verification.ts';

/** An upload whose content was checked and stored. */
export interface NewEvidenceFile {
  readonly step: string;
  readonly kind: EvidenceKind;
  readonly contentType: EvidenceContentType;
  /** In bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Default none. */
  readonly warnings?: readonly EvidenceWarning[] | undefined;
}

/** The step and the kind of an upload. */
export interface UploadTarget {
  readonly step: string;
  readonly kind: EvidenceKind;
}

/** An uploaded file, and the verification that has it now. */
export interface AttachedFile {
  readonly file: EvidenceFile;
  readonly verification: Verification;
}

/** The subject's operations on files. @throws CountersignError `LINK_INVALID`, `LINK_EXPIRED` */
export interface SubjectFiles {
  /**
   * Attaches a file whose content is stored elsewhere, for adopters with an upload of their own.
   * @throws `STEP_OUT_OF_TURN`, `FILE_LIMIT_REACHED`, `INVALID_PARAMETERS`; `FILE_USED_ELSEWHERE` if another place of the verification
   * uses this content; in a redo once `FILE_UNCHANGED` if the reviewer saw this content in this place
   */
  attachFile(access: SubjectAccess, input: NewEvidenceFile): Promise<AttachedFile>;
  /**
   * Receives an upload. The step must be open and have room for the file before any of it is read.
   * @param requireSender throws once the subject has disconnected: a file that still waits then is dropped
   * @throws CountersignError as `attachFile` and as `EvidenceIntake.receive`; nothing is stored then
   */
  uploadFile(
    access: SubjectAccess,
    target: UploadTarget,
    upload: AsyncIterable<Uint8Array>,
    requireSender?: () => void,
  ): Promise<AttachedFile>;
  /** Reads a file of a step that is open now, or a part of it. @throws CountersignError `FILE_NOT_FOUND` for any other */
  readFile(access: SubjectAccess, fileId: string, part?: FilePartName): Promise<FilePart>;
}

const targetShape = { step: z.string(), kind: z.enum(EVIDENCE_KINDS) };
const targetSchema: z.ZodType<UploadTarget> = z.strictObject(targetShape);
const newFileSchema: z.ZodType<NewEvidenceFile> = z.strictObject({
  ...targetShape,
  contentType: z.enum(EVIDENCE_CONTENT_TYPES),
  size: z.int().min(1).max(EVIDENCE_MAX_BYTES),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  warnings: z.array(z.enum(EVIDENCE_WARNINGS)).optional(),
});

export function createSubjectFiles(
  ports: Pick<BasePorts, 'clock' | 'evidence' | 'flows' | 'ids'> & {
    subjectLinks: SubjectLinks;
    change: ChangeVerification;
    documents: Pick<DocumentReadings, 'readUpload'>;
  },
): SubjectFiles {
  const { subjectLinks, flows, change, documents, evidence, clock, ids } = ports;

  async function attach(access: SubjectAccess, file: EvidenceFile): Promise<AttachedFile> {
    const verification = await change({
      find: () => subjectLinks.forWriting(access),
      decide: (current) => receiveFile(current, file),
      actor: { kind: 'subject', id: null },
    });
    return { file: verification.files.find(({ id }) => id === file.id) ?? file, verification };
  }

  return {
    attachFile(access, input) {
      const { warnings = [], ...upload } = parseInput(newFileSchema, input);
      return attach(access, { id: ids.next(), ...upload, warnings, uploadedAt: clock.now().toISOString() });
    },

    async uploadFile(access, target, upload, requireSender) {
      const { step, kind } = parseInput(targetSchema, target);
      const verification = fromRecord(await subjectLinks.forWriting(access), flows);
      requireRoomFor(verification, { step, kind });

      const { clientId, id: verificationId } = verification;
      const terms = { pdf: acceptsPdf(kind), sender: verificationId, requireSender };
      const { content, pages = [], thumbnail, ...judged } = await evidence.receive(upload, terms);
      const place = { clientId, verificationId, fileId: ids.next() };
      try {
        await evidence.put(place, content, { pages, thumbnail: thumbnail?.content });
      } catch (fault) {
        // No file can be stored once the verification is erased, which may have begun while the upload arrived.
        requireRoomFor(fromRecord(await subjectLinks.forWriting(access), flows), { step, kind });
        throw fault;
      }
      const file: EvidenceFile = {
        id: place.fileId,
        step,
        kind,
        ...judged,
        size: content.length,
        ...(pages.length > 0 && { pages: pages.length }),
        ...(thumbnail && { thumbnail: { size: thumbnail.content.length, sha256: thumbnail.sha256 } }),
        uploadedAt: clock.now().toISOString(),
      };
      try {
        const attached = await attach(access, file);
        // In the background: the subject goes on meanwhile.
        void documents.readUpload(attached.verification, attached.file, content);
        return attached;
      } catch (error) {
        // After a fault the file may have been attached, so its contents are left to `TidyEvidence`.
        const isRefused = isCountersignError(error) && error.code !== 'SERVICE_UNAVAILABLE';
        if (isRefused) await evidence.discard(evidencePlacesOf(verification, file));
        throw error;
      }
    },

    async readFile(access, fileId, part) {
      const verification = fromRecord(await subjectLinks.forWriting(access), flows);
      const open: readonly string[] = openStepsOf(verification);
      const file = usableFiles(verification).find(({ id, step }) => id === fileId && open.includes(step));
      if (file === undefined) throw unknownFile();
      const { clientId, id: verificationId } = verification;
      return evidence.read({ clientId, verificationId }, file, part);
    },
  };
}
