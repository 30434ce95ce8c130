import { CountersignError } from '../errors.ts';
import { EvidenceFault } from './evidence-fault.ts';
import type { EvidenceContentType, EvidenceFile } from './evidence-file.ts';
import type { EvidenceIntake, EvidencePlace, EvidenceStore, IntakeTerms, ReceivedFile } from './evidence-store.ts';
import { joinContent, partOfContent } from './file-content.ts';

/** The ports for the contents of files. */
export interface Evidence {
  readonly store: EvidenceStore;
  readonly intake: EvidenceIntake;
}

/** Receives, stores and deletes contents of files for the use cases. Without the ports every call but `discard` throws. */
export interface EvidenceKeeper {
  /** Checks an upload. @throws as `EvidenceIntake.receive` */
  receive(upload: AsyncIterable<Uint8Array>, terms: IntakeTerms): Promise<ReceivedFile>;
  /** @param pages drawn pages of the file */
  put(place: EvidencePlace, content: Uint8Array, pages?: readonly Uint8Array[]): Promise<void>;
  /**
   * Reads a file, or one of its drawn pages.
   * @throws CountersignError `FILE_NOT_FOUND` if there is no such page, or if the content is missing, with the EvidenceFault
   *   `FILE_MISSING` as its cause; EvidenceFault `FILE_DAMAGED`
   */
  read(
    verification: Pick<EvidencePlace, 'clientId' | 'verificationId'>,
    file: EvidenceFile,
    page?: number,
  ): Promise<FilePart>;
  /** Deletes contents that are no longer needed. Failures go to `onFault`; `TidyEvidence` deletes those contents later. */
  discard(places: readonly EvidencePlace[]): Promise<void>;
}

/** A file or one of its drawn pages. */
export interface FilePart {
  readonly file: EvidenceFile;
  readonly content: Uint8Array;
  /** The type of the content: of the file, or JPEG for a page. */
  readonly contentType: EvidenceContentType;
}

export function createEvidenceKeeper(
  evidence: Evidence | undefined,
  onFault: (fault: unknown) => void,
): EvidenceKeeper {
  const present = (): Evidence => {
    if (evidence !== undefined) return evidence;
    throw new Error('The port `evidence` is missing: pass it to createCountersign to accept and read files');
  };

  return {
    receive: async (upload, terms) => present().intake.receive(upload, terms),

    put: async (place, content, pages = []) => present().store.put(place, joinContent(content, pages)),

    async read({ clientId, verificationId }, file, page) {
      const { id: fileId, contentType, pages = 0 } = file;
      if (page !== undefined && (page < 1 || page > pages)) throw unknownFile();
      const whole = await present().store.get({ clientId, verificationId, fileId });
      if (whole === null) throw unknownFile(new EvidenceFault('FILE_MISSING', { verificationId, fileId }));
      const content = partOfContent(whole, pages, page ?? 0);
      if (content === null) throw new EvidenceFault('FILE_DAMAGED', { verificationId, fileId });
      return { file, content, contentType: page === undefined ? contentType : 'image/jpeg' };
    },

    async discard(places) {
      if (evidence === undefined) return;
      const { store } = evidence;
      await Promise.all(places.map((place) => store.delete(place).catch(onFault)));
    },
  };
}

/**
 * Makes the error for a file that does not exist or that the caller may not see.
 * @param cause of a file that should exist
 */
export function unknownFile(cause?: EvidenceFault): CountersignError {
  return new CountersignError('FILE_NOT_FOUND', undefined, { cause });
}
