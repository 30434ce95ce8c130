import type { IndexLabels, TermMatch } from '../../matching/index-labels.ts';
import type { IndexRepository, VerificationLabels } from '../../matching/index-repository.ts';
import { INDEX_PURPOSES, type IndexTerm } from '../../matching/index-terms.ts';
import { isHidden } from '../../retention/data-state.ts';
import type { BasePorts } from '../base-ports.ts';
import { fromRecord } from '../from-record.ts';
import { countOfReference, newestOfReference } from '../newest-of-reference.ts';
import { fraudTermsOf, indexTermsOf, strongTermsOf } from '../submitted-terms.ts';
import type { Verification } from '../verification.ts';
import type { VerificationRecord } from '../verification-record.ts';
import { isOutage } from '../work-through.ts';

/** Most cases that a case is compared with, however many share something with it. */
export const OTHERS_MAX = 20;

/**
 * Finds other cases of the client that have the same document, number, person, file, contact or reference: at most `OTHERS_MAX`, the latest
 * first. If there are more, it takes those that were rejected for fraud (except for a contact), then the latest of each thing in turn. Cases
 * that were never submitted, and those whose data are hidden or erased, are left out. Cases that cannot be read are left out and reported. A
 * case whose own data are hidden has no others.
 * @throws CountersignError `SERVICE_UNAVAILABLE`: no incomplete list is taken for the whole
 */
export type FindOthers = (verification: Verification) => Promise<readonly Verification[]>;

export function createFindOthers(
  ports: Pick<BasePorts, 'flows' | 'onFault' | 'verifications'> & {
    readonly indexLabels: Pick<IndexLabels, 'findMatches'>;
  },
): FindOthers {
  const { flows, onFault, verifications, indexLabels } = ports;

  function shownCase(record: VerificationRecord | null): readonly Verification[] {
    return record === null || record.submittedAt === null || isHidden(record) ? [] : [fromRecord(record, flows)];
  }

  async function unlessUnreadable(
    read: () => Promise<VerificationRecord | null>,
  ): Promise<readonly Verification[]> {
    try {
      return shownCase(await read());
    } catch (fault) {
      // Without it, a warning would be missing without a trace.
      if (isOutage(fault)) throw fault;
      onFault(fault);
      return [];
    }
  }

  return async (verification) => {
    if (isHidden(verification)) return [];
    const { clientId, id } = verification;
    const own = indexTermsOf(verification);
    const find = async (terms: readonly IndexTerm[]) => {
      const request = { terms: new Map([[clientId, terms]]), except: id, limit: OTHERS_MAX };
      return (await indexLabels.findMatches(request)).matches;
    };
    const [matches, records] = await Promise.all([find(own), listOfReference(verifications, verification)]);
    const listed = new Map(records.map((record) => [record.id, record]));
    const sharing = new Set(roundRobin([[...listed.keys()], ...idsByTerm(matches)]));
    sharing.delete(id);
    // If fewer cases share something, all are compared, also those that were rejected for fraud.
    const fraud = sharing.size < OTHERS_MAX ? [] : await find(fraudTermsOf(verification, own));
    const ids = new Set([...roundRobin(idsByTerm(fraud)), ...sharing]);
    const found = [...ids].slice(0, OTHERS_MAX).map((other) => {
      const record = listed.get(other);
      return unlessUnreadable(async () => record ?? verifications.find(clientId, other));
    });
    return (await Promise.all(found)).flat().sort((a, b) => b.requestedAt.getTime() - a.requestedAt.getTime());
  };
}

/**
 * Returns whether no other case of the client has the reference of the verification, or one of these labels, with which it will be stored.
 * Reads no case, so a case that was never submitted, or whose data is hidden, counts too. False if the client has another key: a case may be
 * labelled by it.
 * @throws CountersignError `SERVICE_UNAVAILABLE`
 */
export type SharesNothing = (verification: Verification, labels: VerificationLabels) => Promise<boolean>;

export function createSharesNothing({
  verifications,
  indexes,
}: Pick<BasePorts, 'verifications'> & {
  readonly indexes: Pick<IndexRepository, 'find' | 'keys'>;
}): SharesNothing {
  return async (verification, { keyVersion, labels: made }) => {
    const { clientId, id: except } = verification;
    const labels = made.map((label) => ({ clientId, ...label }));
    const [matches, count] = await Promise.all([
      indexes.find({ labels, except, limit: 1 }),
      countOfReference(verifications, verification),
    ]);
    // The verification itself has the reference.
    if (matches.length > 0 || count > 1) return false;
    // Read last: with a key that is added later, a case is submitted later too, and finds this one.
    return (await indexes.keys(clientId)).every(({ version }) => version === keyVersion);
  };
}

/** Most cases for each shared thing whose warnings are computed again after a rejection for fraud. */
const SHARING_MAX = 1_000;

/**
 * Finds the ids of cases that share something with a case that was rejected for fraud, in any status. These are the cases with the same
 * document, number, person or file, at most the latest `SHARING_MAX` of each, and the latest case of the reference, because earlier ones do
 * not wait.
 * @throws CountersignError `SERVICE_UNAVAILABLE`
 */
export type FindSharing = (verification: Verification) => Promise<ReadonlySet<string>>;

export function createFindSharing({
  verifications,
  indexLabels,
}: Pick<BasePorts, 'verifications'> & {
  readonly indexLabels: Pick<IndexLabels, 'findMatches'>;
}): FindSharing {
  return async (verification) => {
    const { clientId, id } = verification;
    const terms = strongTermsOf(indexTermsOf(verification));
    const [{ matches }, newest] = await Promise.all([
      indexLabels.findMatches({ terms: new Map([[clientId, terms]]), except: id, limit: SHARING_MAX }),
      newestOfReference(verifications, verification, 1),
    ]);
    return new Set([...matches.map(({ verificationId }) => verificationId), ...newest.map((one) => one.id)]);
  };
}

/** Lists the latest verifications of the reference. Most have no other, and a count decrypts nothing. */
async function listOfReference(
  verifications: BasePorts['verifications'],
  verification: Verification,
): Promise<readonly VerificationRecord[]> {
  const count = await countOfReference(verifications, verification);
  // One more, as the verification is among them.
  return count > 1 ? newestOfReference(verifications, verification, OTHERS_MAX + 1) : [];
}

/** Groups the ids of matches by what they share, the strongest first. */
function idsByTerm(matches: readonly TermMatch[]): readonly (readonly string[])[] {
  const groups = Map.groupBy(matches, ({ term: { purpose, text } }) => `${purpose} ${text}`);
  const rank = ([match]: readonly TermMatch[]) => (match ? INDEX_PURPOSES.indexOf(match.term.purpose) : 0);
  return [...groups.values()]
    .sort((a, b) => rank(a) - rank(b))
    .map((group) => group.map(({ verificationId }) => verificationId));
}

/** Takes the first of each list, then the second of each, and so on. */
function roundRobin(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list[turn] ?? [])).flat();
}
