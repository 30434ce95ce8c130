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
      // A picture that was not tried counts as failed. The reader is not trusted: so does an unknown outcome.
      const outcome = OUTCOMES.find((one) => one === reading?.outcome) ?? 'failed';
      outcomes.inc({ outcome });
      duration.observe((performance.now() - begun) / 1000);
      return reading;
    },
  };
}
