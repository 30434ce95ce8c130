import type { StoredReading } from '../../reading/stored-reading.ts';
import type { Clock } from '../../runtime.ts';
import type { ReadFlowRules } from '../../subscription/flow-rules.ts';
import type { DocumentReadings } from '../readings/document-readings.ts';
import type { Verification } from '../verification.ts';
import type { NumberChecks, ReviewWarning } from './review-warning.ts';
import { warningsOf } from './warnings-of.ts';

/**
 * Returns the warnings about a verification by its client's rules and its readings, as a reviewer sees them now.
 * @param readings of the verification; default: they are read
 */
export type ReadWarnings = (
  verification: Verification,
  readings?: readonly StoredReading[],
) => Promise<readonly ReviewWarning[]>;

export function createReadWarnings(ports: {
  readonly clock: Clock;
  readonly readFlowRules: ReadFlowRules;
  readonly documents: Pick<DocumentReadings, 'of'>;
  readonly numberChecks: NumberChecks | undefined;
}): ReadWarnings {
  const { clock, readFlowRules, documents, numberChecks } = ports;
  return async (verification, given) => {
    const { minimumAge } = await readFlowRules(verification.clientId);
    const readings = given ?? (await documents.of(verification));
    return warningsOf(verification, { now: clock.now(), minimumAge, numberChecks, readings });
  };
}
