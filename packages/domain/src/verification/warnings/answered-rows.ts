import { type Row, rowsOf } from '../../fields/placed-fields.ts';
import { type StepKey, stepOf, stepsOf } from '../flow.ts';
import { oncePer } from '../once-per.ts';
import type { Verification } from '../verification.ts';

/** An answer, its field and its step. */
export interface AnsweredRow extends Row {
  readonly step: StepKey;
}

/** Lists the current answers of all steps, in the order of the flow. */
export const answeredRows: (verification: Pick<Verification, 'flow' | 'steps'>) => readonly AnsweredRow[] =
  oncePer(({ flow, steps }) =>
    stepsOf(flow).flatMap((step) =>
      rowsOf(stepOf(flow, step)?.fields ?? {}, steps[step]?.answers ?? {}).map((row) => ({ ...row, step })),
    ),
  );
