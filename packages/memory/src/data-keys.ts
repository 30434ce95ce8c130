import {
  compareText,
  type DataKeyEntry,
  type DataKeyRepository,
  type WrappedDataKey,
} from '@countersign/domain/storage';
import { keyOf, type Tables } from './tables.ts';

export function createDataKeys({ verifications }: Tables): DataKeyRepository {
  const notWrappedBy = (key: string): DataKeyEntry[] =>
    [...verifications.values()].flatMap(({ clientId, id: verificationId, dataKey }) =>
      dataKey === null || dataKey.wrappedBy === key ? [] : [{ clientId, verificationId, dataKey }],
    );

  return {
    find: async (clientId, verificationId) =>
      structuredClone(verifications.get(keyOf(clientId, verificationId))?.dataKey ?? null),

    async listOneOfEachKey(limit) {
      const byKey = new Map(notWrappedBy('').map((entry) => [entry.dataKey.wrappedBy, entry]));
      return structuredClone([...byKey.values()].slice(0, limit));
    },

    countNotWrappedBy: async (key) => notWrappedBy(key).length,

    async listNotWrappedBy(key, after, limit) {
      const left = notWrappedBy(key).filter(
        ({ verificationId }) => after === null || compareText(verificationId, after) > 0,
      );
      left.sort((a, b) => compareText(a.verificationId, b.verificationId));
      return structuredClone(left.slice(0, limit));
    },

    async replace({ clientId, verificationId, expected, next }) {
      const place = keyOf(clientId, verificationId);
      const stored = verifications.get(place);
      if (stored === undefined || stored.erasureNumber !== null) return { outcome: 'conflict' };
      if (!isSame(stored.dataKey, expected)) return { outcome: 'conflict' };
      verifications.set(place, { ...stored, dataKey: { wrappedBy: next.wrappedBy, wrapped: next.wrapped } });
      return { outcome: 'replaced' };
    },
  };
}

function isSame(a: WrappedDataKey | null, b: WrappedDataKey | null): boolean {
  return a?.wrappedBy === b?.wrappedBy && a?.wrapped === b?.wrapped;
}
