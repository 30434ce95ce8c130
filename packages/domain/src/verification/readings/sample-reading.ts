import type { FlowAsks } from '../../fields/conditions.ts';
import { valueAt } from '../../fields/paths.ts';
import { sampleOf } from '../../fields/sample.ts';
import { acceptReading, type DocumentReading } from '../../reading/document-reading.ts';
import { type StepKey, stepOf } from '../flow.ts';
import type { Verification } from '../verification.ts';
import { readAnswers } from './read-document.ts';

/** The version of the fixed readings of test mode. */
const TEST_READER = 'test';

/**
 * Makes the reading of any picture in test mode, without a reader: the sample answers to the fields that a reading answers, which are
 * those of verifications that the service drives itself.
 */
export function sampleReading(
  verification: Verification,
  context: { readonly now: Date; readonly minimumAge: number; readonly asks: FlowAsks },
): DocumentReading {
  const sampleIn = (step: StepKey, path: string): unknown => {
    const definition = stepOf(verification.flow, step);
    const answers = definition && sampleOf(definition, { ...context, fileIdOf: (kind) => kind });
    const value = valueAt(answers, path);
    return Array.isArray(value) ? value[0] : value;
  };
  const found = readAnswers(verification).map(({ step, path, readAs }) => [readAs, sampleIn(step, path)] as const);
  const { type, ...values } = Object.fromEntries(found);
  const fields = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, sure: true }]));
  const issuer = values.issuingCountry;
  return acceptReading({ outcome: 'read', readerVersion: TEST_READER, fields, type, issuer, digitsFit: true });
}
