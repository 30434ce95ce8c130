import type { ClientAppearance, Logo } from '@countersign/domain/clients';
import type { Storage } from '@countersign/domain/storage';
import { appearancesSuite } from '../../src/suites/appearances.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { appearances, remembering, roundTrip, untilNul, uuidOnly } from './patch.ts';

const { find, setDetails, setLogo, logoContent } = appearances;

export const appearancesMutants: readonly Mutant[] = mutantsOf(appearancesSuite, {
  'never removes a detail': setDetails.override(async ({ next, storage }, id, details) => {
    const before = await storage.appearances.find(id);
    return next(id, { ...details, displayName: details.displayName ?? before?.displayName ?? null });
  }),
  ...Object.fromEntries(
    (['displayName', 'colour', 'supportAddress', 'privacyAddress'] as const).map((field) => [
      `ignores ${field}`,
      setDetails.input(() => ({ [field]: null })),
    ]),
  ),
  'removes the logo with the details': setDetails.override(async ({ next, storage }, id, details) => {
    await storage.appearances.setLogo(id, null);
    return next(id, details);
  }),
  'removes the details with the logo': setLogo.override(async ({ next, storage }, id, logo) => {
    const none = { displayName: null, colour: null, supportAddress: null, privacyAddress: null };
    if (logo === null) await storage.appearances.setDetails(id, none);
    return next(id, logo);
  }),
  'never removes a logo': setLogo.override(async ({ next, storage }, id, logo) => {
    const appearance = await storage.appearances.find(id);
    return logo === null && appearance !== null ? { outcome: 'changed', appearance } : next(id, logo);
  }),
  'returns the appearance from before the change': setLogo.override(async ({ next, storage }, id, logo) => {
    const before = await storage.appearances.find(id);
    const answer = await next(id, logo);
    return before !== null && answer.outcome === 'changed' ? { outcome: 'changed', appearance: before } : answer;
  }),
  'keeps 64,000 bytes of a logo': setLogo.override(({ next }, id, logo) =>
    next(id, logo && { ...logo, content: logo.content.slice(0, 64_000) }),
  ),
  'keeps the content as text': setLogo.override(({ next }, id, logo) =>
    next(id, logo && { ...logo, content: new TextEncoder().encode(new TextDecoder().decode(logo.content)) }),
  ),
  'swaps width and height': find.result((appearance) => swapped(appearance)),
  'returns any logo of the client': logoContent.override(async ({ next, storage }, id) =>
    next(id, (await storage.appearances.find(id))?.logo?.id ?? ''),
  ),
  'returns the logos of other clients': logoContent.override(async ({ next, storage }, id, logoId) => {
    for (const { client } of await storage.clients.list()) {
      const content = await next(client.id, logoId);
      if (content !== null) return content;
    }
    return next(id, logoId);
  }),
  'finds a logo by the start of its id': logoContent.override(async ({ next, storage }, id, logoId) => {
    const logo = (await storage.appearances.find(id))?.logo ?? null;
    return next(id, logo !== null && logoId !== '' && logo.id.startsWith(logoId) ? logo.id : logoId);
  }),
  'finds a logo without case': logoContent.override(({ next }, id, logoId) => next(id, logoId.toLowerCase())),
  'truncates the id of a logo at NUL': logoContent.override(({ next }, id, logoId) => next(id, untilNul(logoId))),
  'renames the client': setDetails.override(async ({ next, storage }, id, details) => {
    await storage.clients.setFileAccess(id, details.displayName !== null);
    return next(id, details);
  }),
  'fails on an id that is not a UUID': setDetails.first(uuidOnly),
  'finds no client by an id that is not a UUID': find.first(uuidOnly),
  'truncates ids at NUL': setDetails.first(untilNul),
  'reads the appearance and writes it back whole': setDetails.override(async ({ next, storage }, id, details) => {
    const before = await storage.appearances.find(id);
    await roundTrip();
    const answer = await next(id, details);
    if ((before?.logo ?? null) === null) await storage.appearances.setLogo(id, null);
    return answer;
  }),
  'refuses a second logo at the same time': setLogo.oneAtATime(async () => ({ outcome: 'client_not_found' })),
  'keeps the given bytes': keepsGiven(),
});

function swapped(appearance: ClientAppearance): ClientAppearance {
  const { logo } = appearance;
  return logo === null ? appearance : { ...appearance, logo: { ...logo, width: logo.height, height: logo.width } };
}

/** Stores the array that it was given, so that later changes to it change what is stored. */
function keepsGiven(): (storage: Storage) => Storage {
  return remembering(() => {
    const given = new Map<string, Logo>();
    return (storage) => ({
      ...storage,
      appearances: {
        ...storage.appearances,
        async setLogo(id, logo) {
          if (logo !== null) given.set(`${id} ${logo.id}`, logo);
          return storage.appearances.setLogo(id, logo);
        },
        async logoContent(id, logoId) {
          const content = await storage.appearances.logoContent(id, logoId);
          return content === null ? null : (given.get(`${id} ${logoId}`)?.content ?? content);
        },
      },
    });
  });
}
