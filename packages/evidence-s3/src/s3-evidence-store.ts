import { EvidenceFault, type EvidencePlace, type EvidenceStore } from '@countersign/domain/evidence';
import {
  checkedContent,
  checkedHead,
  evidencePathOf,
  evidencePlaceOf,
  isEvidenceName,
} from '@countersign/evidence-format';
import type { Bucket } from './bucket.ts';
import { bucketFault } from './bucket-fault.ts';
import { areDeletionsHeld } from './deletion-hold.ts';
import { deleteLeftovers } from './leftovers.ts';

/** Creates the store on the bucket. Errors name the code of the failed call and no key. */
export function createStore(bucket: Bucket): EvidenceStore {
  return {
    async put(place, content) {
      const path = evidencePathOf(place);
      if (path === null) throw new Error('An id of the file to keep cannot be the name of a file.');
      let isNew: boolean;
      try {
        isNew = await bucket.put(path, Buffer.concat([checkedHead(content), content]));
      } catch (error) {
        throw bucketFault('keep a file of evidence', error);
      }
      if (!isNew) throw new EvidenceFault('FILE_EXISTS', place);
    },

    async get(place) {
      const path = evidencePathOf(place);
      if (path === null) return null;
      const stored = await read(bucket, path);
      return stored === null ? null : checkedContent(stored, place);
    },

    async delete(place) {
      const path = evidencePathOf(place);
      if (path === null) return;
      try {
        if (await areDeletionsHeld(bucket)) return;
        await bucket.delete(path);
      } catch (error) {
        throw bucketFault('delete a file of evidence', error);
      }
    },

    async filesOf({ clientId, verificationId }) {
      if (![clientId, verificationId].every(isEvidenceName)) return [];
      try {
        const places: EvidencePlace[] = [];
        for await (const { name } of bucket.list(`${clientId}/${verificationId}/`)) {
          const place = evidencePlaceOf(name);
          if (place !== null) places.push(place);
        }
        return places;
      } catch (error) {
        throw bucketFault('list the files of evidence', error);
      }
    },

    async *listWrittenBefore(moment): AsyncGenerator<EvidencePlace> {
      try {
        if (await areDeletionsHeld(bucket)) return;
        await deleteLeftovers(bucket);
        const { clockDifferenceMs } = bucket.clockDifference();
        for await (const { name, modified } of bucket.list('')) {
          const place = evidencePlaceOf(name);
          if (place !== null && modified.getTime() - clockDifferenceMs < moment.getTime()) yield place;
        }
      } catch (error) {
        throw bucketFault('list the files of evidence', error);
      }
    },
  };
}

async function read(bucket: Bucket, path: string): Promise<Uint8Array | null> {
  try {
    const found = await bucket.get(path);
    if (found === null) return null;
    const chunks: Uint8Array[] = [];
    for await (const chunk of found) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    throw bucketFault('read a file of evidence', error);
  }
}
