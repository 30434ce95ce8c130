import { CountersignError, VerificationFault } from '../errors.ts';
import { EvidenceFault } from './evidence-fault.ts';
import { type EvidenceContentType, type EvidenceFile, isThumbnailId, thumbnailIdOf } from './evidence-file.ts';
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
  /** @param drawn pages and thumbnail of the file */
  put(
    place: EvidencePlace,
    content: Uint8Array,
    drawn?: { readonly pages?: readonly Uint8Array[]; readonly thumbnail?: Uint8Array | undefined },
  ): Promise<void>;
  /**
   * Reads a file or a part of it. For a file without a thumbnail, `thumbnail` is the picture, or the first drawn page of a PDF; so it is
   * if the thumbnail is missing or damaged, because it is only a smaller copy. A damaged one is reported.
   * @throws CountersignError `FILE_NOT_FOUND` if there is no such part, or if the content is missing, with the EvidenceFault
   *   `FILE_MISSING` as its cause; EvidenceFault `FILE_DAMAGED`
   */
  read(
    verification: Pick<EvidencePlace, 'clientId' | 'verificationId'>,
    file: EvidenceFile,
    part?: FilePartName,
  ): Promise<FilePart>;
  /**
   * Deletes contents that are no longer needed, and before them what was read from them. Failures go to `onFault`; `TidyEvidence` deletes
   * those contents and readings later.
   */
  discard(places: readonly EvidencePlace[]): Promise<void>;
}

/** What to read of a file: the number of a drawn page, or the small picture. */
export type FilePartName = number | 'thumbnail';

/** A file or a part of it. */
export interface FilePart {
  readonly file: EvidenceFile;
  readonly content: Uint8Array;
  /** The type of the content: of the file, or JPEG for a drawn part. */
  readonly contentType: EvidenceContentType;
}

/** Deletes what was read from files. */
export type RemoveReadings = (places: readonly EvidencePlace[]) => Promise<void>;

export function createEvidenceKeeper(
  evidence: Evidence | undefined,
  onFault: (fault: unknown) => void,
  removeReadings: RemoveReadings,
): EvidenceKeeper {
  const present = (): Evidence => {
    if (evidence !== undefined) return evidence;
    throw new Error('The port `evidence` is missing: pass it to createCountersign to accept and read files');
  };

  /** Returns null if the file has no readable thumbnail. */
  async function readThumbnail(
    { clientId, verificationId }: Omit<EvidencePlace, 'fileId'>,
    { id, thumbnail }: EvidenceFile,
  ): Promise<Uint8Array | null> {
    if (thumbnail === undefined) return null;
    try {
      return await present().store.get({ clientId, verificationId, fileId: thumbnailIdOf(id) });
    } catch (fault) {
      if (!(fault instanceof VerificationFault)) throw fault;
      onFault(fault);
      return null;
    }
  }

  async function readPart(
    { clientId, verificationId }: Omit<EvidencePlace, 'fileId'>,
    file: EvidenceFile,
    page: number | undefined,
  ): Promise<FilePart> {
    const { id: fileId, contentType, pages = 0 } = file;
    if (page !== undefined && (page < 1 || page > pages)) throw unknownFile();
    const whole = await present().store.get({ clientId, verificationId, fileId });
    if (whole === null) throw unknownFile(new EvidenceFault('FILE_MISSING', { verificationId, fileId }));
    const content = partOfContent(whole, pages, page ?? 0);
    if (content === null) throw new EvidenceFault('FILE_DAMAGED', { verificationId, fileId });
    return { file, content, contentType: page === undefined ? contentType : 'image/jpeg' };
  }

  return {
    receive: async (upload, terms) => present().intake.receive(upload, terms),

    async put(place, content, { pages = [], thumbnail } = {}) {
      const { store } = present();
      await store.put(place, joinContent(content, pages));
      if (thumbnail !== undefined) await store.put({ ...place, fileId: thumbnailIdOf(place.fileId) }, thumbnail);
    },

    async read(verification, file, part) {
      if (part !== 'thumbnail') return readPart(verification, file, part);
      const thumbnail = await readThumbnail(verification, file);
      if (thumbnail !== null) return { file, content: thumbnail, contentType: 'image/jpeg' };
      return readPart(verification, file, file.contentType === 'application/pdf' ? 1 : undefined);
    },

    async discard(places) {
      if (evidence === undefined || places.length === 0) return;
      const { store } = evidence;
      try {
        await removeReadings(places.filter(({ fileId }) => !isThumbnailId(fileId)));
      } catch (fault) {
        return onFault(fault);
      }
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
