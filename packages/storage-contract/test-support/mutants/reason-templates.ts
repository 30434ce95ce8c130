import { NO_TEMPLATES, type ReasonTemplate, type ReasonTemplates } from '@countersign/domain/clients';
import type { Storage } from '@countersign/domain/storage';
import { reasonTemplatesSuite } from '../../src/suites/reason-templates.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { clients, untilNul, uuidOnly } from './patch.ts';

const { setReasonTemplates } = clients;

/** Sets the client's templates by those that it had and the given ones. */
const setsInstead = (combine: (given: ReasonTemplates, before: ReasonTemplates) => ReasonTemplates) =>
  setReasonTemplates.override(async ({ next, storage }, id, given) =>
    next(id, combine(given, await templatesIn(storage, id))),
  );

const eachInAsk = (change: (template: ReasonTemplate) => ReasonTemplate) =>
  setsInstead(({ ask, reject }) => ({ ask: ask.map(change), reject }));

export const reasonTemplatesMutants: readonly Mutant[] = mutantsOf(reasonTemplatesSuite, {
  'adds to the list instead of replacing it': setsInstead((given, before) => ({
    ...given,
    ask: [...before.ask, ...given.ask],
  })),
  'ignores an empty list': setsInstead((given, before) => ({
    ...given,
    ask: given.ask.length === 0 ? before.ask : given.ask,
  })),
  'truncates a long list': setsInstead(({ ask, reject }) => ({ ask, reject: reject.slice(0, 5) })),
  'truncates long texts': eachInAsk((each) => ({ ...each, en: each.en?.slice(0, 255) })),
  'fills in a text that is missing': eachInAsk((each) => ({ ...each, en: each.en ?? '' })),
  'changes line breaks': eachInAsk((each) => ({ ...each, de: each.de?.replaceAll('\n', ' ') })),
  'returns the client from before the change': setReasonTemplates.override(
    async ({ next, storage }, id, given) => {
      const before = await storage.clients.find(id);
      const answer = await next(id, given);
      return before && answer.outcome === 'changed' ? { outcome: 'changed', client: before.client } : answer;
    },
  ),
  'switches access to files off': setReasonTemplates.override(async ({ next, storage }, id, given) => {
    await storage.clients.setFileAccess(id, false);
    return next(id, given);
  }),
  'fails on an id that is not a UUID': setReasonTemplates.first(uuidOnly),
  'truncates ids at NUL': setReasonTemplates.first(untilNul),
});

async function templatesIn(storage: Storage, id: string): Promise<ReasonTemplates> {
  return (await storage.clients.find(id))?.client.reasonTemplates ?? NO_TEMPLATES;
}
