import type { FlowRules, ReadFlowRules } from '../subscription/flow-rules.ts';
import type { VerificationRecord } from './verification-record.ts';

/** A read of a verification that also reads what holds for its client, for a move that depends on it. */
export interface FindWithRules {
  readonly find: () => Promise<VerificationRecord | null>;
  /** What held when `find` read the verification last. Throws before the first one. */
  readonly rules: () => FlowRules;
}

/** Reads the rules with each read of the verification, so that a move that is decided again has the current ones. */
export function findWithRules(
  find: () => Promise<VerificationRecord | null>,
  readFlowRules: ReadFlowRules,
): FindWithRules {
  let current: FlowRules | undefined;
  return {
    async find() {
      const record = await find();
      if (record !== null) current = await readFlowRules(record.clientId);
      return record;
    },
    rules() {
      if (current === undefined) throw new Error('The verification was not read yet');
      return current;
    },
  };
}
