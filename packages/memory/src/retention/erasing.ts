import {
  erasedRecord,
  type RetentionRepository,
  requireRetentionRules,
  withoutTexts,
} from '@countersign/domain/storage';
import { isSent } from '@countersign/domain/webhooks';
import { keyOf, type Tables } from '../tables.ts';

type Erasing = Pick<
  RetentionRepository,
  'erase' | 'recordErasure' | 'finish' | 'erasure' | 'erasures' | 'lastErasure' | 'withoutReceipt'
>;

/** Creates the operations that remove data, and the receipts. */
export function createErasing(tables: Tables): Erasing {
  const { verifications, events, deliveries, erasures } = tables;
  const last = (): number => Math.max(0, ...erasures.keys());

  return {
    async erase({ expectedVersion, event, erasure }) {
      const { clientId, verificationId } = erasure;
      const place = keyOf(clientId, verificationId);
      const stored = verifications.get(place);
      if (stored?.version !== expectedVersion || stored.erasedAt === null || stored.erasureNumber !== null) {
        return { outcome: 'conflict' };
      }
      const number = erasure.number ?? last() + 1;
      if (erasures.has(number)) return { outcome: 'number_taken' };
      const erased = erasedRecord(stored, { event, erasure }, number);
      requireRetentionRules(erased);
      verifications.set(place, erased);
      for (const row of events) {
        if (row.event.clientId === clientId && row.event.verificationId === verificationId)
          row.event = { ...row.event, data: {} };
      }
      for (const delivery of deliveries.values()) {
        if (delivery.clientId !== clientId || delivery.entry.verificationId !== verificationId) continue;
        delivery.attempts = delivery.attempts.map(withoutTexts);
      }
      for (const [id, one] of tables.exports)
        if (one.clientId === clientId && one.verificationId === verificationId) tables.exports.delete(id);
      for (const [id, { mail }] of tables.mails)
        if (mail.clientId === clientId && mail.verificationId === verificationId) tables.mails.delete(id);
      events.push({ event: structuredClone(event), unsent: isSent(event) });
      erasures.set(number, structuredClone({ ...erasure, number, finishedAt: null }));
      return { outcome: 'erased', number };
    },

    async recordErasure(erasure) {
      if (!erasures.has(erasure.number)) erasures.set(erasure.number, structuredClone(erasure));
    },

    async finish({ clientId, number }, at) {
      const erasure = erasures.get(number);
      if (erasure?.clientId !== clientId || erasure.finishedAt !== null) return;
      erasures.set(number, { ...erasure, finishedAt: new Date(at) });
      const place = keyOf(clientId, erasure.verificationId);
      const stored = verifications.get(place);
      if (stored?.erasureNumber === number) verifications.set(place, { ...stored, retentionCheckAt: null });
    },

    erasure: async (number) => structuredClone(erasures.get(number) ?? null),

    async erasures({ clientId, from, until, after, limit }) {
      const matching = [...erasures.values()].filter(
        (erasure) =>
          erasure.number > after &&
          (clientId === undefined || erasure.clientId === clientId) &&
          (from === undefined || erasure.at >= from) &&
          (until === undefined || erasure.at < until),
      );
      return structuredClone(matching.sort((a, b) => a.number - b.number).slice(0, limit));
    },

    lastErasure: async () => last(),

    withoutReceipt: async (numbers) => numbers.filter((number) => !erasures.has(number)),
  };
}
