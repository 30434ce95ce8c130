import { CountersignError } from '../errors.ts';
import type { EvidenceIntake, EvidencePlace, EvidenceStore, IntakeTerms, ReceivedFile } from './evidence-store.ts';

/** The ports for the contents of files. */
export interface Evidence {
  readonly store: EvidenceStore;
  readonly intake: EvidenceIntake;
}

/** Receives, stores and deletes contents of files for the use cases. Without the ports every call but `discard` throws. */
export interface EvidenceKeeper {
  /** Checks an upload. @throws as `EvidenceIntake.receive` */
  receive(upload: AsyncIterable<Uint8Array>, terms: IntakeTerms): Promise<ReceivedFile>;
  put(place: EvidencePlace, content: Uint8Array): Promise<void>;
  /** @throws CountersignError `FILE_NOT_FOUND` if the content is missing, which is also reported to `onFault` */
  get(place: EvidencePlace): Promise<Uint8Array>;
  /** Deletes contents that are no longer needed. Failures go to `onFault`; `TidyEvidence` deletes those contents later. */
  discard(places: readonly EvidencePlace[]): Promise<void>;
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

/** Makes the error for a file that does not exist or that the caller may not see. */
export function unknownFile(): CountersignError {
  return new CountersignError('FILE_NOT_FOUND');
}
