import type { FlowRules } from '../src/subscription/flow-rules.ts';

/** What holds for a new client of an installation with the built-in settings. */
export function someFlowRules(given: Partial<FlowRules> = {}): FlowRules {
  return {
    asks: { placeOfBirth: false, proofOfAddress: false },
    minimumAge: 18,
    linkDays: 30,
    decisionWithin: null,
    readingIsAdvice: false,
    dueHours: null,
    warningsInDetails: false,
    ...given,
  };
}
