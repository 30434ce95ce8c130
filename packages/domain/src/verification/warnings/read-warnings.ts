import type { StoredReading } from '../../reading/stored-reading.ts';
import type { Clock } from '../../runtime.ts';
import type { FlowRules, ReadFlowRules } from '../../subscription/flow-rules.ts';
import type { DocumentReadings } from '../readings/document-readings.ts';
import type { Verification } from '../verification.ts';
import type { FindOthers } from './find-others.ts';
import type { NumberChecks, ReviewWarning } from './review-warning.ts';
import { warningsOf } from './warnings-of.ts';

/** What the warnings about a verification are computed from, as far as the caller has read it. */
export interface ReadBefore {
  readonly rules?: Pick<FlowRules, 'minimumAge'> | undefined;
  readonly readings?: readonly StoredReading[] | undefined;
  readonly others?: readonly Verification[] | undefined;
}

/**
 * Returns the warnings about a verification by its client's rules, its readings and other cases of the client, as a reviewer sees them
 * now.
 * @param before default: all of it is read
 */
export type ReadWarnings = (verification: Verification, before?: ReadBefore) => Promise<readonly ReviewWarning[]>;

export function createReadWarnings(ports: {
  readonly clock: Clock;
  readonly readFlowRules: ReadFlowRules;
  readonly documents: Pick<DocumentReadings, 'of'>;
  readonly numberChecks: NumberChecks | undefined;
  readonly findOthers: FindOthers;
}): ReadWarnings {
  const { clock, readFlowRules, documents, numberChecks, findOthers } = ports;
  return async (verification, before = {}) => {
    const [{ minimumAge }, readings, others] = await Promise.all([
      before.rules ?? readFlowRules(verification.clientId),
      before.readings ?? documents.of(verification),
      before.others ?? findOthers(verification),
    ]);
    return warningsOf(verification, { now: clock.now(), minimumAge, numberChecks, readings, others });
  };
}
