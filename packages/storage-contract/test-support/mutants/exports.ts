import { EXPORT_CODE_ATTEMPTS, EXPORT_DOWNLOADS, type ExportRequest } from '@countersign/domain/exports';
import { exportCodesSuite } from '../../src/suites/exports/codes.ts';
import { exportEndsSuite } from '../../src/suites/exports/ends.ts';
import { exportListsSuite } from '../../src/suites/exports/lists.ts';
import { exportRequestsSuite } from '../../src/suites/exports/requests.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  type Break,
  both,
  personExports,
  remembering,
  retention,
  roundTrip,
  toSeconds,
  uuidOnly,
} from './patch.ts';

const { countWrongCode, decline, end, endAll, find, forget, list } = personExports;
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

/** Remembers each export that is read or released, and shows it after its verification was erased. */
const keepsErased: Break = remembering(() => {
  const kept = new Map<string, ExportRequest>();
  const keep = (one: ExportRequest): ExportRequest => {
    kept.set(one.id, one);
    return one;
  };
  return both(
    release.result(keep),
    find.override(async ({ next }, id) => (await next(id)) ?? kept.get(id) ?? null),
  );
});

const exportRequestsMutants: readonly Mutant[] = mutantsOf(exportRequestsSuite, {
  'stores no requester': shows(() => ({ requestedBy: 'subject' })),
  'keeps seconds': shows(({ requestedAt }) => ({ requestedAt: toSeconds(requestedAt) })),
  'finds no export by its verification': ofVerification.override(async () => null),
  'returns the new request whatever is stored': request.override(async ({ next }, input) => {
    const stored = await next(input);
    return stored && { ...stored, id: input.id };
  }),
  'never replaces an export': request.override(
    async ({ next, storage }, input) => (await storage.exports.ofVerification(input)) ?? next(input),
  ),
  'replaces only what has expired': request.override(async ({ next, storage }, input) => {
    const stored = await storage.exports.ofVerification(input);
    const isUsedUp = stored !== null && stored.wrongCodes >= EXPORT_CODE_ATTEMPTS;
    return isUsedUp && input.requestedAt < (stored.expiresAt ?? new Date(0)) ? stored : next(input);
  }),
  'replaces what is still released': request.override(async ({ next, storage }, input) => {
    const stored = await storage.exports.ofVerification(input);
    return next(stored?.expiresAt ? { ...input, requestedAt: new Date(1e14) } : input);
  }),
  'replaces no export whose downloads are used up': request.override(async ({ next, storage }, input) => {
    const stored = await storage.exports.ofVerification(input);
    return stored !== null && stored.downloads >= EXPORT_DOWNLOADS ? stored : next(input);
  }),
  'replaces a declined export immediately': request.override(async ({ next, storage }, input) => {
    const stored = await storage.exports.ofVerification(input);
    return next(stored?.declinedAt ? { ...input, requestedAt: new Date(1e14) } : input);
  }),
  'never replaces a declined export': request.override(async ({ next, storage }, input) => {
    const stored = await storage.exports.ofVerification(input);
    return stored?.declinedAt ? stored : next(input);
  }),
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
  'requests for verifications of any client': request.override(async ({ next, storage }, input) => {
    const owner = await storage.verifications.clientOf(input.verificationId);
    return next({ ...input, clientId: owner ?? input.clientId });
  }),
  'fails on a request with a text that cannot be an id': request.input(({ verificationId }) => ({
    verificationId: uuidOnly(verificationId),
  })),
  'shows an export although the erasure has begun': request.override(async ({ next, storage }, input) => {
    const stored = await next(input);
    return stored ?? storage.exports.ofVerification(input);
  }),
  'refuses requests at once': request.oneAtATime(async () => null),
  'counts no releases': release.result((one) => ({ ...one, linkVersion: 1 })),
  'stores no release': shows(({ requestedAt }) => ({ releasedAt: requestedAt })),
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
  'keeps exports of erased verifications': keepsErased,
  'forgets every export with an erasure': remembering(() => {
    let isErased = false;
    return both(
      retention.erase.after((result) => {
        isErased ||= result.outcome === 'erased';
      }),
      list.result((all) => (isErased ? [] : all)),
    );
  }),
  'forgets an export with an erasure that conflicts': remembering(() => {
    let isTried = false;
    return both(
      retention.erase.after(() => {
        isTried = true;
      }),
      find.override(async ({ next }, id) => (isTried ? null : next(id))),
    );
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
  'counts without an end': countWrongCode.override(
    async ({ next }, of) => (await next(of)) ?? EXPORT_CODE_ATTEMPTS + 1,
  ),
  'ends one attempt early': countWrongCode.override(async ({ next }, of) => {
    const count = await next(of);
    return count === EXPORT_CODE_ATTEMPTS ? null : count;
  }),
  'reads before it counts': readsFirst,
  'counts for every export': shows(({ wrongCodes, linkVersion }) =>
    linkVersion === 1 ? { wrongCodes: 5 } : { wrongCodes },
  ),
  'counts for any release': countWrongCode.override(async ({ next, storage }, of) => {
    const stored = await storage.exports.find(of.id);
    return next({ ...of, linkVersion: stored?.linkVersion ?? of.linkVersion });
  }),
  'marks any release': markDownloaded.override(async ({ next, storage }, of, at) => {
    const stored = await storage.exports.find(of.id);
    return next({ ...of, linkVersion: stored?.linkVersion ?? of.linkVersion }, at);
  }),
  'fails on a text that cannot be an id': countWrongCode.input(({ id }) => ({ id: uuidOnly(id) })),
  'marks nothing': shows(() => ({ downloadedAt: null })),
  'marks a download in seconds': markDownloaded.override(async ({ next }, of, at) => next(of, toSeconds(at))),
  'keeps the first download': remembering(() => {
    let isMarked = false;
    return markDownloaded.override(async ({ next }, of, at) => {
      if (isMarked) return { outcome: 'marked' };
      isMarked = true;
      return next(of, at);
    });
  }),
  'marks a release that has expired': markDownloaded.override(async ({ next, storage }, of, at) => {
    const result = await next(of, at);
    const stored = await storage.exports.find(of.id);
    return (stored?.wrongCodes ?? EXPORT_CODE_ATTEMPTS) < EXPORT_CODE_ATTEMPTS ? { outcome: 'marked' } : result;
  }),
  'marks a release without attempts left': markDownloaded.override(async () => ({ outcome: 'marked' })),
  'counts no downloads': shows(() => ({ downloads: 0 })),
  'downloads without an end': markDownloaded.override(async ({ next, storage }, of, at) => {
    const stored = await storage.exports.find(of.id);
    return (stored?.downloads ?? 0) >= EXPORT_DOWNLOADS ? { outcome: 'marked' } : next(of, at);
  }),
  'ends with the last but one download': markDownloaded.override(async ({ next, storage }, of, at) => {
    const stored = await storage.exports.find(of.id);
    return (stored?.downloads ?? 0) >= EXPORT_DOWNLOADS - 1 ? { outcome: 'ended' } : next(of, at);
  }),
  'counts downloads of every export': remembering(() => {
    let counted = 0;
    return both(
      markDownloaded.before(() => {
        counted += 1;
      }),
      shows(({ linkVersion, downloads }) => ({ downloads: linkVersion === 1 ? Math.max(downloads, counted) : 0 })),
    );
  }),
  'counts wrong codes of a declined export': countWrongCode.override(async ({ next, storage }, of) => {
    const stored = await storage.exports.find(of.id);
    return stored?.declinedAt ? 1 : next(of);
  }),
  'marks a declined export': markDownloaded.override(async ({ next, storage }, of, at) => {
    const stored = await storage.exports.find(of.id);
    return stored?.declinedAt ? { outcome: 'marked' } : next(of, at);
  }),
  'ends with the last but one attempt': markDownloaded.override(async ({ next, storage }, of, at) => {
    const stored = await storage.exports.find(of.id);
    return (stored?.wrongCodes ?? 0) >= EXPORT_CODE_ATTEMPTS - 1 ? { outcome: 'ended' } : next(of, at);
  }),
  'drops wrong codes at once': countWrongCode.oneAtATime(async () => null),
});

const exportEndsMutants: readonly Mutant[] = mutantsOf(exportEndsSuite, {
  'declines nothing': decline.override(async () => null),
  'stores no refusal': shows(() => ({ declinedAt: null, declineReason: null })),
  'stores one reason': shows(({ declinedAt }) => (declinedAt === null ? {} : { declineReason: 'other' })),
  'declines no release': decline.override(async ({ next, storage }, input) => {
    const stored = await storage.exports.find(input.id);
    return stored?.releasedAt ? null : next(input);
  }),
  'declines exports of any client': decline.override(async ({ next, storage }, input) => {
    const stored = await storage.exports.find(input.id);
    return next({ ...input, clientId: stored?.clientId ?? input.clientId });
  }),
  'fails on a refusal with a text that cannot be an id': decline.input(({ id }) => ({ id: uuidOnly(id) })),
  'declines what has expired': decline.override(async ({ next, storage }, input) => {
    const { expiresAt = null } = (await storage.exports.find(input.id)) ?? {};
    const isLate = expiresAt !== null && expiresAt <= input.declinedAt;
    return next(isLate ? { ...input, declinedAt: new Date(0) } : input);
  }),
  'declines without attempts left': decline.override(async ({ next, storage }, input) => {
    const stored = await storage.exports.find(input.id);
    return stored !== null && stored.wrongCodes >= EXPORT_CODE_ATTEMPTS ? stored : next(input);
  }),
  'declines without downloads left': decline.override(async ({ next, storage }, input) => {
    const stored = await storage.exports.find(input.id);
    return stored !== null && stored.downloads >= EXPORT_DOWNLOADS ? stored : next(input);
  }),
  'declines again': decline.override(async ({ next, storage }, input) => {
    const stored = await storage.exports.find(input.id);
    return stored?.declinedAt ? { ...stored, ...input } : next(input);
  }),
  'ends nothing': end.override(async () => undefined),
  'ends an hour late': end.override(async ({ next }, of, at) => next(of, new Date(at.getTime() + 3_600_000))),
  'ends any release': end.override(async ({ next, storage }, of, at) => {
    const stored = await storage.exports.find(of.id);
    return next({ ...of, linkVersion: stored?.linkVersion ?? of.linkVersion }, at);
  }),
  'fails to end a text that cannot be an id': end.override(async ({ next }, of, at) =>
    next({ ...of, id: uuidOnly(of.id) }, at),
  ),
  'ends every release': end.override(async ({ storage }, _of, at) => void (await storage.exports.endAll(at))),
  'ends releases of one client': endAll.override(async ({ next, storage }, at) => {
    const others = await storage.exports.list(ALL);
    const count = await next(at);
    return others.some(({ releasedAt }) => releasedAt !== null) ? count - 1 : count;
  }),
  'ends nothing at all': endAll.override(async () => 0),
  'counts what has ended': endAll.override(async ({ next, storage }, at) => {
    await next(at);
    return (await storage.exports.list(ALL)).filter(({ releasedAt }) => releasedAt !== null).length;
  }),
});

const exportListsMutants: readonly Mutant[] = mutantsOf(exportListsSuite, {
  'lists the oldest first': list.result((all) => all.toReversed()),
  'lists no code': list.result((all) => all.map((one) => ({ ...one, codeHash: null }))),
  ...list.ignoring('clientId'),
  'ignores waiting': list.input(() => ({ waiting: false })),
  'lists declined requests as waiting': list.override(async ({ next, storage }, query) => {
    if (!query.waiting) return next(query);
    const all = await storage.exports.list({ ...query, waiting: false });
    return all.filter(({ releasedAt }) => releasedAt === null);
  }),
  'ignores after': list.input(() => ({ after: null })),
  'ignores the limit': list.input(() => ({ limit: 1_000 })),
  'begins with the last export': list.override(async ({ next, storage }, query) => {
    const last = query.after === null ? null : await storage.exports.find(query.after);
    return last === null ? next(query) : [last, ...(await next(query))].slice(0, query.limit);
  }),
  'fails on a text that cannot be a client': list.input(({ clientId }) => ({
    clientId: clientId && uuidOnly(clientId),
  })),
  'forgets what expires at the time': forget.input(({ before }) => ({ before: new Date(before.getTime() + 1) })),
  'forgets nothing': forget.override(async () => 0),
  'forgets nothing that was declined': forget.override(async ({ next, storage }, input) => {
    const waiting = (await storage.exports.list(ALL)).some(({ declinedAt }) => declinedAt !== null);
    return waiting ? 0 : next(input);
  }),
  'forgets without a limit': forget.input(() => ({ limit: 1_000 })),
  'counts what others forgot': forget.override(async ({ next, storage }, input) => {
    const before = await storage.exports.list(ALL);
    await roundTrip();
    await next(input);
    return before.filter(({ expiresAt }) => expiresAt !== null && expiresAt < input.before).slice(0, input.limit)
      .length;
  }),
});

export const EXPORT_MUTANTS: readonly Mutant[] = [
  exportRequestsMutants,
  exportCodesMutants,
  exportEndsMutants,
  exportListsMutants,
].flat();
