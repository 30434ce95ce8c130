import { HAND_OVER_WINDOW_MS, MAX_HAND_OVERS } from '@countersign/domain';
import type { HandOverCode, Storage } from '@countersign/domain/storage';
import { handOverCodesSuite, handOverUsesSuite } from '../../src/suites/hand-overs.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, handOvers, moved, remembering, roundTrip, toSeconds } from './patch.ts';

const { issue, spend, find } = handOvers;
type Place = Pick<HandOverCode, 'clientId' | 'verificationId'>;

/** Shows codes with other fields, however they are returned. */
const shows = (change: (code: HandOverCode) => Partial<HandOverCode>): Break => {
  const changed = (code: HandOverCode): HandOverCode => ({ ...code, ...change(code) });
  return both(issue.result(changed), spend.result(changed), find.result(changed));
};

const ownerOf = (storage: Storage, { verificationId }: Place) =>
  storage.verifications.findForAnyClient(verificationId);

const handOverCodesMutants: readonly Mutant[] = mutantsOf(handOverCodesSuite, {
  'keeps seconds': shows(({ issuedAt }) => ({ issuedAt: toSeconds(issuedAt) })),
  'shows the code of any client': find.override(async ({ next, storage }, place) => {
    const clientId = await storage.verifications.clientOf(place.verificationId);
    return next({ ...place, clientId: clientId ?? place.clientId });
  }),
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
  'refuses codes at once': issue.oneAtATime(async () => null),
  'reads, then counts': issue.override(async ({ next, storage }, code) => {
    const last = await storage.handOvers.find(code);
    await roundTrip();
    const stored = await next(code);
    return stored && { ...stored, issued: (last?.issued ?? 0) + 1 };
  }),
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
