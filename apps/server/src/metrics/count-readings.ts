import type { DocumentReader } from '@countersign/domain';
import { METRICS } from './metric-table.ts';
import type { Metrics } from './metrics.ts';

const OUTCOMES = METRICS.readings.outcomes.labels.outcome;

/** Wraps a reader of documents so that its readings are counted, and its queue can be read. */
export function countReadings(
  reader: DocumentReader & { stats(): { readonly waiting: number } },
  { begin }: Pick<Metrics, 'begin'>,
): DocumentReader {
  const { outcomes, duration } = begin('readings', { waiting: () => reader.stats().waiting });
  return {
    async read(request) {
      const begun = performance.now();
      const reading = await reader.read(request);
      // The reader is not trusted: an unknown outcome counts as failed.
      const outcome = OUTCOMES.find((one) => one === reading?.outcome) ?? 'failed';
      outcomes.inc({ outcome });
      duration.observe((performance.now() - begun) / 1000);
      return reading;
    },
  };
}
