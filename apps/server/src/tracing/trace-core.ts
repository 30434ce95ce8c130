import type { As, Countersign } from '@countersign/domain';
import type { Spans } from './spans.ts';
import { traceMethods } from './trace-methods.ts';

/** Wraps the core so that each use case of the API, of subjects and of users is a span. */
export function traceCore(core: Countersign, spans: Spans): Countersign {
  const useCasesOf = <T extends object>(area: string, useCases: T) =>
    traceMethods(useCases, spans, (method) => ({ name: `${area}.${method}` }));
  const { authenticate } = useCasesOf('access', { authenticate: core.authenticate });

  return {
    ...core,
    authenticate,
    verifications: useCasesOf('verifications', core.verifications),
    subject: useCasesOf('subject', core.subject),
    exports: useCasesOf('exports', core.exports),
    appearances: useCasesOf('appearances', core.appearances),
    flowSettings: { ...core.flowSettings, ...useCasesOf('flowSettings', { get: core.flowSettings.get }) },
    as: (caller) => traceActions(core.as(caller), spans),
  };
}

/** Actions have their ids as names. */
function traceActions(actions: As, spans: Spans): As {
  const accounts = traceMethods(actions, spans, (method) => ({ name: `actions.${method}` }));
  return {
    ...actions,
    recordRefusal: accounts.recordRefusal,
    run: (action, input) => spans.run({ name: `actions.${action.id}` }, () => actions.run(action, input)),
    runUnchecked: (action, input) =>
      spans.run({ name: `actions.${action.id}` }, () => actions.runUnchecked(action, input)),
  };
}
