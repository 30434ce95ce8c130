import { CountersignError } from '../errors.ts';
import type { EvidenceIntake, IntakeTerms, ReceivedFile } from './evidence-intake.ts';
import type { EvidencePlace, EvidenceStore } from './evidence-store.ts';

/** Where contents of files come in and lie. */
export interface Evidence {
  readonly store: EvidenceStore;
  readonly intake: EvidenceIntake;
}

/** Contents of files, as the use cases handle them. Without stores and intake every call but `discard` is a fault. */
export interface EvidenceKeeper {
  /** Judges an upload. @throws as `EvidenceIntake.receive` */
  receive(upload: AsyncIterable<Uint8Array>, terms: IntakeTerms): Promise<ReceivedFile>;
  put(place: EvidencePlace, content: Uint8Array): Promise<void>;
  /** @throws CountersignError `FILE_NOT_FOUND` where the content is gone; that it is missing is reported as a fault too */
  get(place: EvidencePlace): Promise<Uint8Array>;
  /** Deletes contents that nothing names any more. What fails is reported, and found again by tidying. */
  discard(places: readonly EvidencePlace[]): Promise<void>;
}

export function createEvidenceKeeper(
  evidence: Evidence | undefined,
  onFault: (fault: unknown) => void,
): EvidenceKeeper {
  const present = (): Evidence => {
    if (evidence !== undefined) return evidence;
    throw new Error('createCountersign was given no evidence: without its store and intake there are no files');
  };

  return {
    receive: async (upload, terms) => present().intake.receive(upload, terms),

    put: async (place, content) => present().store.put(place, content),

    async get(place) {
      const content = await present().store.get(place);
      if (content !== null) return content;
      onFault(new Error(`The content of file ${place.fileId} of verification ${place.verificationId} is missing`));
      throw unknownFile();
    },

    async discard(places) {
      if (evidence === undefined) return;
      const { store } = evidence;
      await Promise.all(places.map((place) => store.delete(place).catch(onFault)));
    },
  };
}

/** The same for an unknown file and for one that whoever asks may not see. */
export function unknownFile(): CountersignError {
  return new CountersignError('FILE_NOT_FOUND', 'File not found');
}
