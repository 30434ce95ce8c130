import { EXPORT_CODE_ATTEMPTS, EXPORT_DOWNLOADS, type ExportRequest } from '@countersign/domain/exports';
import { exportCodesSuite } from '../../src/suites/exports/codes.ts';
import { exportEndsSuite } from '../../src/suites/exports/ends.ts';
import { exportListsSuite } from '../../src/suites/exports/lists.ts';
import { exportRequestsSuite } from '../../src/suites/exports/requests.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, personExports, remembering, roundTrip, toSeconds, uuidOnly } from './patch.ts';

const { countWrongCode, decline, find, list } = personExports;
const { markDownloaded, ofVerification, release, request } = personExports;
const ALL = { waiting: false, after: null, limit: 1_000 } as const;

/** Shows exports with other fields, however they are read. */
const shows = (change: (one: ExportRequest) => Partial<ExportRequest>): Break => {
  const changed = (one: ExportRequest): ExportRequest => ({ ...one, ...change(one) });
  return both(
    find.result(changed),
    ofVerification.result(changed),
    list.result((all) => all.map(changed)),
  );
};

const exportRequestsMutants: readonly Mutant[] = mutantsOf(exportRequestsSuite, {
  'stores no requester': shows(() => ({ requestedBy: 'subject' })),
  'keeps seconds': shows(({ requestedAt }) => ({ requestedAt: toSeconds(requestedAt) })),
  'keeps the id of a replaced export': remembering(() => {
    const replaced = new Map<string, ExportRequest>();
    return both(
      request.override(async ({ next, storage }, input) => {
        const before = await storage.exports.ofVerification(input);
        const stored = await next(input);
        if (before !== null && before.id !== stored?.id) replaced.set(before.id, before);
        return stored;
      }),
      find.override(async ({ next }, id) => (await next(id)) ?? replaced.get(id) ?? null),
    );
  }),
  'refuses requests at once': request.oneAtATime(async () => null),
  'stores the first release only': release.override(async ({ next, storage }, input) => {
    const stored = await storage.exports.find(input.id);
    return stored === null || stored.releasedAt === null ? next(input) : stored;
  }),
  'keeps the first user': remembering(() => {
    const first = new Map<string, string | null>();
    return release.input(({ id, releasedBy }) => {
      if (!first.has(id)) first.set(id, releasedBy);
      return { releasedBy: first.get(id) ?? null };
    });
  }),
  'keeps wrong codes at a release': remembering(() => {
    let counted = 0;
    return both(
      countWrongCode.result((count) => (counted = count)),
      shows(({ linkVersion }) => (linkVersion > 1 ? { wrongCodes: counted } : {})),
    );
  }),
  'keeps downloads at a release': remembering(() => {
    let counted = 0;
    return both(
      markDownloaded.before(() => {
        counted += 1;
      }),
      shows(({ linkVersion, downloads }) => ({ downloads: linkVersion > 1 ? counted : downloads })),
    );
  }),
  'keeps the refusal at a release': remembering(() => {
    let declinedAt: Date | null = null;
    return both(
      decline.after((one) => {
        ({ declinedAt } = one);
      }),
      shows((one) => (one.linkVersion > 1 ? { declinedAt } : {})),
    );
  }),
  'keeps the download at a release': remembering(() => {
    let downloadedAt: Date | null = null;
    return both(
      markDownloaded.after((_, _of, at) => {
        downloadedAt = at;
      }),
      release.result((one) => ({ ...one, downloadedAt })),
    );
  }),
  'releases exports of any client': release.override(async ({ next, storage }, input) => {
    const stored = await storage.exports.find(input.id);
    return next({ ...input, clientId: stored?.clientId ?? input.clientId });
  }),
  'fails on a release with a text that cannot be an id': release.input(({ id }) => ({ id: uuidOnly(id) })),
  'mixes releases at once': remembering(() => {
    let code = '';
    return release.override(async ({ next }, input) => {
      code = input.codeHash;
      await roundTrip();
      return next({ ...input, codeHash: code });
    });
  }),
  'fails on reads with a text that cannot be an id': find.first(uuidOnly),
  'finds exports of any client': ofVerification.override(async ({ storage }, { verificationId }) => {
    const all = await storage.exports.list(ALL);
    return all.find((one) => one.verificationId === verificationId) ?? null;
  }),
});

/** Reads the count, waits, and answers by what it read. */
const readsFirst: Break = remembering(() => {
  const counts = new Map<string, number>();
  return countWrongCode.override(async ({ next, storage }, of) => {
    const read = (counts.get(of.id) ?? 0) + 1;
    await roundTrip();
    counts.set(of.id, read);
    const stored = await storage.exports.find(of.id);
    return stored === null || (await next(of)) === null ? null : read;
  });
});

const exportCodesMutants: readonly Mutant[] = mutantsOf(exportCodesSuite, {
  'reads before it counts': readsFirst,
  'marks a download in seconds': markDownloaded.override(async ({ next }, of, at) => next(of, toSeconds(at))),
  'downloads without an end': markDownloaded.override(async ({ next, storage }, of, at) => {
    const stored = await storage.exports.find(of.id);
    return (stored?.downloads ?? 0) >= EXPORT_DOWNLOADS ? { outcome: 'marked' } : next(of, at);
  }),
  'ends with the last but one download': markDownloaded.override(async ({ next, storage }, of, at) => {
    const stored = await storage.exports.find(of.id);
    return (stored?.downloads ?? 0) >= EXPORT_DOWNLOADS - 1 ? { outcome: 'ended' } : next(of, at);
  }),
  'ends with the last but one attempt': markDownloaded.override(async ({ next, storage }, of, at) => {
    const stored = await storage.exports.find(of.id);
    return (stored?.wrongCodes ?? 0) >= EXPORT_CODE_ATTEMPTS - 1 ? { outcome: 'ended' } : next(of, at);
  }),
  'drops wrong codes at once': countWrongCode.oneAtATime(async () => null),
});

const exportEndsMutants: readonly Mutant[] = mutantsOf(exportEndsSuite, {
  'declines again': decline.override(async ({ next, storage }, input) => {
    const stored = await storage.exports.find(input.id);
    return stored?.declinedAt ? { ...stored, ...input } : next(input);
  }),
});

const exportListsMutants: readonly Mutant[] = mutantsOf(exportListsSuite, {
  'lists no code': list.result((all) => all.map((one) => ({ ...one, codeHash: null }))),
  'ignores waiting': list.input(() => ({ waiting: false })),
  'lists declined requests as waiting': list.override(async ({ next, storage }, query) => {
    if (!query.waiting) return next(query);
    const all = await storage.exports.list({ ...query, waiting: false });
    return all.filter(({ releasedAt }) => releasedAt === null);
  }),
  'fails on a text that cannot be a client': list.input(({ clientId }) => ({
    clientId: clientId && uuidOnly(clientId),
  })),
});

export const EXPORT_MUTANTS: readonly Mutant[] = [
  exportRequestsMutants,
  exportCodesMutants,
  exportEndsMutants,
  exportListsMutants,
].flat();
