import {
  type HandOverCode,
  type HandOverRepository,
  handOverEnd,
  issuedHandOver,
} from '@countersign/domain/storage';
import type { Sync, Tables } from './tables.ts';

/** Hand-over codes: the last one of each verification. */
export function createHandOvers({ handOvers, verifications }: Tables): Sync<HandOverRepository> {
  const put = (code: HandOverCode): HandOverCode => {
    handOvers.put(code);
    return code;
  };
  return {
    issue(code) {
      const { clientId, verificationId } = code;
      const owner = verifications.get(clientId, verificationId);
      if (owner === undefined) return null;
      const issued = issuedHandOver(code, owner, handOvers.get(clientId, verificationId) ?? null);
      return issued && put(issued);
    },
    spend({ clientId, verificationId, codeHash }, at) {
      const stored = handOvers.get(clientId, verificationId);
      const owner = verifications.get(clientId, verificationId);
      if (stored?.codeHash !== codeHash || owner === undefined) return null;
      return handOverEnd(stored, owner, at) === null ? put({ ...stored, spentAt: at }) : null;
    },
    find: ({ clientId, verificationId }) => handOvers.get(clientId, verificationId) ?? null,
    forget({ before, limit }) {
      const forgotten = handOvers
        .by('issued', { until: [before.getTime()] })
        .take(limit)
        .toArray();
      for (const { clientId, verificationId } of forgotten) handOvers.remove(clientId, verificationId);
      return forgotten.length;
    },
  };
}
