import { HAND_OVER_WINDOW_MS, MAX_HAND_OVERS } from '@countersign/domain';
import type { HandOverCode, Storage } from '@countersign/domain/storage';
import { handOverCodesSuite, handOverUsesSuite } from '../../src/suites/hand-overs.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, handOvers, moved, remembering, roundTrip, toSeconds, uuidOnly } from './patch.ts';

const { issue, spend, find, forget } = handOvers;
type Place = Pick<HandOverCode, 'clientId' | 'verificationId'>;

/** Shows codes with other fields, however they are returned. */
const shows = (change: (code: HandOverCode) => Partial<HandOverCode>): Break => {
  const changed = (code: HandOverCode): HandOverCode => ({ ...code, ...change(code) });
  return both(issue.result(changed), spend.result(changed), find.result(changed));
};

/** Issues the code under circumstances that the verification does not have. */
const issuesIf = (change: (storage: Storage, code: Place) => Promise<Partial<HandOverCode>>): Break =>
  issue.override(async ({ next, storage }, code) => {
    const stored = await next({ ...code, ...(await change(storage, code)) });
    return stored && { ...stored, ...code };
  });

const ownerOf = (storage: Storage, { verificationId }: Place) =>
  storage.verifications.findForAnyClient(verificationId);

/** Shows a code although the storage has none. */
const invents: Break = issue.override(async ({ next }, code) => {
  const stored = await next(code);
  return stored ?? { ...code, spentAt: null, countedFrom: code.issuedAt, issued: 1 };
});

const handOverCodesMutants: readonly Mutant[] = mutantsOf(handOverCodesSuite, {
  'keeps seconds': shows(({ issuedAt }) => ({ issuedAt: toSeconds(issuedAt) })),
  'stores another end': shows(({ expiresAt }) => ({ expiresAt: moved(expiresAt, 1) })),
  'stores no hash': shows(() => ({ codeHash: '' })),
  'shows the code of any client': find.override(async ({ next, storage }, place) => {
    const clientId = await storage.verifications.clientOf(place.verificationId);
    return next({ ...place, clientId: clientId ?? place.clientId });
  }),
  'keeps the first code': issue.override(
    async ({ next, storage }, code) => (await storage.handOvers.find(code)) ?? next(code),
  ),
  'keeps the use of the code before': remembering(() => {
    let spentAt: Date | null = null;
    return both(
      spend.after((code) => {
        spentAt = code.spentAt;
      }),
      issue.result((code) => ({ ...code, spentAt })),
    );
  }),
  'counts no codes': shows(() => ({ issued: 1 })),
  'has no limit': invents,
  'has one code less': issue.override(async ({ next, storage }, code) => {
    const last = await storage.handOvers.find(code);
    return last !== null && last.issued >= MAX_HAND_OVERS - 1 ? null : next(code);
  }),
  'begins the next window a moment too early': issue.override(async ({ next, storage }, code) => {
    const last = await storage.handOvers.find(code);
    const isLast =
      last !== null && last.countedFrom.getTime() + HAND_OVER_WINDOW_MS - 1 === code.issuedAt.getTime();
    return next(isLast ? { ...code, issuedAt: moved(code.issuedAt, 1) } : code);
  }),
  'begins no other window': issue.override(async ({ next, storage }, code) => {
    const last = await storage.handOvers.find(code);
    return last !== null && last.issued >= MAX_HAND_OVERS ? null : next(code);
  }),
  'counts on in the next window': issue.override(async ({ next, storage }, code) => {
    const last = await storage.handOvers.find(code);
    const stored = await next(code);
    return (
      stored && { ...stored, issued: Math.max(stored.issued, Math.min(MAX_HAND_OVERS, (last?.issued ?? 0) + 1)) }
    );
  }),
  'begins a window with each code': shows(({ issuedAt }) => ({ countedFrom: issuedAt })),
  'refuses codes at once': issue.oneAtATime(async () => null),
  'reads, then counts': issue.override(async ({ next, storage }, code) => {
    const last = await storage.handOvers.find(code);
    await roundTrip();
    const stored = await next(code);
    return stored && { ...stored, issued: (last?.issued ?? 0) + 1 };
  }),
  'issues for verifications of any client': issuesIf(async (storage, { verificationId, clientId }) => ({
    clientId: (await storage.verifications.clientOf(verificationId)) ?? clientId,
  })),
  'issues for any link': issuesIf(async (storage, code) => ({
    linkVersion: (await ownerOf(storage, code))?.linkVersion ?? 1,
  })),
  'issues after the end of the link': issue.override(async ({ next, storage }, code) => {
    const end = (await ownerOf(storage, code))?.linkExpiresAt;
    return next(end === undefined || code.issuedAt < end ? code : { ...code, issuedAt: moved(end, -1) });
  }),
  'issues a moment less before the end of the link': issue.override(async ({ next, storage }, code) => {
    const end = (await ownerOf(storage, code))?.linkExpiresAt.getTime();
    return code.issuedAt.getTime() + 1 === end ? null : next(code);
  }),
  'issues after a submission': issue.override(async ({ next, storage }, code) => {
    const stored = await next(code);
    const owner = await ownerOf(storage, code);
    const isSubmitted = stored === null && owner?.status === 'submitted' && owner.clientId === code.clientId;
    return isSubmitted ? { ...code, spentAt: null, countedFrom: code.issuedAt, issued: 1 } : stored;
  }),
  'issues after a withdrawal': issue.override(async ({ next, storage }, code) => {
    const stored = await next(code);
    const owner = await ownerOf(storage, code);
    const isRejected = stored === null && owner?.status === 'rejected';
    return isRejected ? { ...code, spentAt: null, countedFrom: code.issuedAt, issued: 1 } : stored;
  }),
  'issues to pending verifications only': issue.override(async ({ next, storage }, code) =>
    (await ownerOf(storage, code))?.status === 'action_needed' ? null : next(code),
  ),
  'fails on a code for a text that cannot be an id': issue.input(({ verificationId }) => ({
    verificationId: uuidOnly(verificationId),
  })),
  'fails on a look-up for a text that cannot be an id': find.input(({ clientId }) => ({
    clientId: uuidOnly(clientId),
  })),
  'forgets none': forget.override(async () => 0),
  'forgets without a limit': forget.input(() => ({ limit: 1_000 })),
  'forgets what was issued at the time': forget.input(({ before }) => ({ before: moved(before, 1) })),
  'counts one forgotten code more': forget.result((count) => count + 1),
});

/** Shows a used code again as unused. */
const handOverUsesMutants: readonly Mutant[] = mutantsOf(handOverUsesSuite, {
  'keeps seconds of the use': spend.result((code) => ({
    ...code,
    spentAt: code.spentAt && toSeconds(code.spentAt),
  })),
  'marks no use': find.result((code) => ({ ...code, spentAt: null })),
  'lets a code be used twice': spend.override(
    async ({ next, storage }, code, at) => (await next(code, at)) ?? storage.handOvers.find(code),
  ),
  'stores the last use': remembering(() => {
    let last: Date | null = null;
    return both(
      spend.before((_, at) => {
        last = at;
      }),
      find.result((code) => (code.spentAt === null ? code : { ...code, spentAt: last })),
    );
  }),
  'uses a code up before it decides': spend.override(async ({ next, storage }, code, at) => {
    const stored = await storage.handOvers.find(code);
    await roundTrip();
    await next(code, at);
    return stored?.spentAt === null && stored.codeHash === code.codeHash ? { ...stored, spentAt: at } : null;
  }),
  'takes an expired code': spend.override(async ({ next, storage }, code, at) => {
    const end = (await storage.handOvers.find(code))?.expiresAt;
    return next(code, end === undefined || at < end ? at : moved(end, -1));
  }),
  'ends a code a moment too early': spend.override(async ({ next, storage }, code, at) => {
    const end = (await storage.handOvers.find(code))?.expiresAt.getTime();
    return at.getTime() + 1 === end ? null : next(code, at);
  }),
  'takes any hash': spend.override(async ({ next, storage }, code, at) => {
    const codeHash = (await storage.handOvers.find(code))?.codeHash;
    return next({ ...code, codeHash: codeHash ?? code.codeHash }, at);
  }),
  'takes the code of another client': spend.override(async ({ next, storage }, code, at) => {
    const clientId = await storage.verifications.clientOf(code.verificationId);
    return next({ ...code, clientId: clientId ?? code.clientId }, at);
  }),
  'fails on a text that cannot be an id': spend.override(async ({ next }, code, at) => {
    uuidOnly(code.verificationId);
    return next(code, at);
  }),
  'takes a code of a renewed link': takesAnyway(({ linkVersion }) => linkVersion > 1),
  'takes a code of an expired link': takesAnyway(({ linkExpiresAt }, at) => linkExpiresAt <= at),
  'takes a code of a withdrawn verification': takesAnyway(({ status }) => status === 'rejected'),
  'takes a code of a submitted verification': takesAnyway(({ status }) => status === 'submitted'),
  'takes a code from before the submission': takesAnyway(({ status }) => status === 'action_needed'),
  'takes no code after a submission': spend.override(async ({ next, storage }, code, at) =>
    (await ownerOf(storage, code))?.submittedAt ? null : next(code, at),
  ),
  'ends the code with each change': spend.override(async ({ next, storage }, code, at) =>
    (await ownerOf(storage, code))?.version === 1 ? next(code, at) : null,
  ),
  'keeps the code of an erased verification': remembering(() => {
    const kept = new Map<string, HandOverCode>();
    return both(
      issue.after((code) => kept.set(code.verificationId, code)),
      find.override(async ({ next }, place) => (await next(place)) ?? kept.get(place.verificationId) ?? null),
    );
  }),
  'removes every code with an erasure': find.override(async ({ next, storage }, place) =>
    (await storage.retention.lastErasure()) === null ? next(place) : null,
  ),
});

export const HAND_OVER_MUTANTS: readonly (readonly Mutant[])[] = [handOverCodesMutants, handOverUsesMutants];

/** Takes a code whose verification has no use for it, if it was not used. */
function takesAnyway(
  isTaken: (owner: { status: string; linkVersion: number; linkExpiresAt: Date }, at: Date) => boolean,
): Break {
  return spend.override(async ({ next, storage }, code, at) => {
    const spent = await next(code, at);
    if (spent !== null) return spent;
    const owner = await ownerOf(storage, code);
    const stored = await storage.handOvers.find(code);
    return owner !== null && stored?.spentAt === null && isTaken(owner, at) ? { ...stored, spentAt: at } : null;
  });
}
