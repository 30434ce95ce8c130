import type { FlowRules, ReadFlowRules } from '../subscription/flow-rules.ts';
import type { VerificationRecord } from './verification-record.ts';

/** Reads a verification together with its client's rules, for a move that depends on them. */
export interface FindWithRules {
  readonly find: () => Promise<VerificationRecord | null>;
  /** The rules at the time when `find` last read the verification. Throws before the first read. */
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
