import { NO_TEMPLATES, type ReasonTemplate, type ReasonTemplates } from '@countersign/domain/clients';
import type { Storage } from '@countersign/domain/storage';
import { aClient } from '../../src/records/clients.ts';
import { reasonTemplatesSuite } from '../../src/suites/reason-templates.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { clients, roundTrip, untilNul, uuidOnly } from './patch.ts';

const { create, list, find, setReasonTemplates } = clients;

/** Sets the client's templates by those that it had and the given ones. */
const setsInstead = (combine: (given: ReasonTemplates, before: ReasonTemplates) => ReasonTemplates) =>
  setReasonTemplates.override(async ({ next, storage }, id, given) =>
    next(id, combine(given, await templatesIn(storage, id))),
  );

const eachInAsk = (change: (template: ReasonTemplate) => ReasonTemplate) =>
  setsInstead(({ ask, reject }) => ({ ask: ask.map(change), reject }));

export const reasonTemplatesMutants: readonly Mutant[] = mutantsOf(reasonTemplatesSuite, {
  'creates every client without templates': create.input(({ client }) => ({
    client: { ...client, reasonTemplates: NO_TEMPLATES },
  })),
  'creates the twin with the templates of its client': create.input(({ client, test }) => ({
    test: test && { ...test, reasonTemplates: client.reasonTemplates },
  })),
  'lists clients without templates': list.result((entries) =>
    entries.map((entry) => ({ ...entry, client: { ...entry.client, reasonTemplates: NO_TEMPLATES } })),
  ),
  'sorts templates by name': find.result((entry) => {
    const { ask, reject } = entry.client.reasonTemplates;
    const sorted = { ask: ask.toSorted((a, b) => (a.name < b.name ? -1 : 1)), reject };
    return { ...entry, client: { ...entry.client, reasonTemplates: sorted } };
  }),
  'swaps the decisions': setsInstead(({ ask, reject }) => ({ ask: reject, reject: ask })),
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
  'changes all clients': setReasonTemplates.override(async ({ next, storage }, id, given) => {
    for (const { client } of await storage.clients.list()) await next(client.id, given);
    return next(id, given);
  }),
  'switches access to files off': setReasonTemplates.override(async ({ next, storage }, id, given) => {
    await storage.clients.setFileAccess(id, false);
    return next(id, given);
  }),
  'creates unknown clients': setReasonTemplates.override(async ({ next, storage }, id, given) => {
    await storage.clients.create({ client: aClient(9, { id }), subscription: null });
    return next(id, given);
  }),
  'fails on an id that is not a UUID': setReasonTemplates.first(uuidOnly),
  'truncates ids at NUL': setReasonTemplates.first(untilNul),
  'reads the client and writes it back whole': setReasonTemplates.override(
    async ({ next, storage }, id, given) => {
      const read = await storage.clients.find(id);
      await roundTrip();
      if (read !== null) await storage.clients.setFileAccess(id, read.client.fileAccess);
      return next(id, given);
    },
  ),
  'writes one decision after the other': setReasonTemplates.override(async ({ next, storage }, id, given) => {
    await next(id, { ...(await templatesIn(storage, id)), ask: given.ask });
    // Of two calls, one ends last in this part and the other in that.
    for (let trips = given.ask.length === 2 ? 2 : 1; trips > 0; trips -= 1) await roundTrip();
    return next(id, { ...(await templatesIn(storage, id)), reject: given.reject });
  }),
});

async function templatesIn(storage: Storage, id: string): Promise<ReasonTemplates> {
  return (await storage.clients.find(id))?.client.reasonTemplates ?? NO_TEMPLATES;
}
