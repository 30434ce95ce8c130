import type { IndexLabels, TermMatch } from '../../matching/index-labels.ts';
import { INDEX_PURPOSES } from '../../matching/index-terms.ts';
import { isHidden } from '../../retention/data-state.ts';
import type { BasePorts } from '../base-ports.ts';
import { fromRecord } from '../from-record.ts';
import { newestOfReference } from '../newest-of-reference.ts';
import { indexTermsOf } from '../submitted-terms.ts';
import type { Verification } from '../verification.ts';
import type { VerificationRecord } from '../verification-record.ts';
import { isOutage } from '../work-through.ts';

/** Most cases that a case is compared with, however many share something with it. */
export const OTHERS_MAX = 20;

/**
 * Finds other cases of the client that have the same document, number, person, file, contact or reference: at most `OTHERS_MAX`, the latest
 * first. Of more, the latest of each thing in turn are taken. Cases that were never submitted, whose data are hidden or erased, or that
 * cannot be read are left out; the latter are reported. A case whose own data are hidden has no others.
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
    const terms = indexTermsOf(verification);
    const [matches, records] = await Promise.all([
      indexLabels.findMatches({ clientId, terms, except: id, limit: OTHERS_MAX }),
      newestOfReference(verifications, verification, OTHERS_MAX),
    ]);
    const listed = new Map(records.map((record) => [record.id, record]));
    const ids = inTurn([[...listed.keys()], ...idsByTerm(matches)]);
    ids.delete(id);
    const found = [...ids].slice(0, OTHERS_MAX).map((other) => {
      const record = listed.get(other);
      return unlessUnreadable(async () => record ?? verifications.find(clientId, other));
    });
    return (await Promise.all(found)).flat().sort((a, b) => b.requestedAt.getTime() - a.requestedAt.getTime());
  };
}

/** Groups the ids of matches by what they share, the strongest first. */
function idsByTerm(matches: readonly TermMatch[]): readonly (readonly string[])[] {
  const groups = Map.groupBy(matches, ({ term: { purpose, text } }) => `${purpose} ${text}`);
  const rank = ([match]: readonly TermMatch[]) => (match ? INDEX_PURPOSES.indexOf(match.term.purpose) : 0);
  return [...groups.values()]
    .sort((a, b) => rank(a) - rank(b))
    .map((group) => group.map(({ verificationId }) => verificationId));
}

/** Takes the first of each list, then the second of each, and so on, without duplicates. */
function inTurn(lists: readonly (readonly string[])[]): Set<string> {
  const longest = Math.max(...lists.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list[turn] ?? []));
  return new Set(turns.flat());
}
