import { isActive } from '@countersign/domain';
import { countOf, type PageSlice, type VerificationGroup } from '@countersign/domain/storage';

/** How a slice is read in the order of subjects. */
export type SubjectPlan =
  /** Collects the groups and sorts them. */
  | { readonly kind: 'collected' }
  /** Walks the index of subjects: from its end, or from the subject at the offset, which is found in the indexes alone. */
  | {
      readonly kind: 'walked' | 'walked from the offset';
      /** How it is found whether an active verification is in one of the groups: in its row, or among the entries of the groups. */
      readonly activeIn: 'rows' | 'groups';
    };

/** A plan with its work, as a number of index entries. */
interface CostedPlan {
  readonly plan: SubjectPlan;
  readonly entries: number;
}

/** Looking up a row costs as much as reading so many entries of an index. */
const ENTRIES_OF_LOOK_UP = 16;

/** Number of verifications that are collected and sorted rather than walked. */
const COLLECTED_AT_MOST = 20_000;

/** Finding the subject at the offset takes two statements more. */
const ENTRIES_OF_STATEMENTS = 500;

/** Chooses the plan with the least work, by the counts of all groups of the client. */
export function cheapestPlan(slice: PageSlice, ofClient: readonly VerificationGroup[]): CostedPlan {
  const { groups, offset, limit } = slice;
  const matching = countOf(groups);
  const walkedForOne = countOf(ofClient) / matching;
  const walk = walkOver(slice, ofClient);
  const toPage = walk((offset + limit) * walkedForOne);
  const toOffset = walk(offset * walkedForOne);
  const ofPage = walk(limit * walkedForOne);
  const plans: readonly CostedPlan[] = [
    { plan: { kind: 'walked', activeIn: toPage.activeIn }, entries: toPage.entries + offset * ENTRIES_OF_LOOK_UP },
    {
      plan: { kind: 'walked from the offset', activeIn: toOffset.activeIn },
      entries: toOffset.entries + ofPage.entries + ENTRIES_OF_STATEMENTS,
    },
    // The index by step leaves out pending verifications that are not begun: their rows show the subject.
    {
      plan: { kind: 'collected' },
      entries:
        matching > COLLECTED_AT_MOST
          ? Number.POSITIVE_INFINITY
          : matching + countOf(groups.filter(({ status }) => status === 'pending')) * ENTRIES_OF_LOOK_UP,
    },
  ];
  return plans.reduce((least, plan) => (plan.entries < least.entries ? plan : least));
}

/** Returns the work of a walk over so many entries. The index shows the group of a decided verification only. */
function walkOver(
  { groups }: PageSlice,
  ofClient: readonly VerificationGroup[],
): (walked: number) => { readonly activeIn: 'rows' | 'groups'; readonly entries: number } {
  const all = countOf(ofClient);
  const isFiltered = countOf(groups) < all;
  const activeMatching = countOf(activeOf(groups));
  const activeShare = countOf(activeOf(ofClient)) / all;
  return (walked) => {
    if (!isFiltered || activeMatching === 0) return { activeIn: 'rows', entries: walked };
    const lookedUp = walked * activeShare * ENTRIES_OF_LOOK_UP;
    return lookedUp <= activeMatching
      ? { activeIn: 'rows', entries: walked + lookedUp }
      : { activeIn: 'groups', entries: walked + activeMatching };
  };
}

/** Returns the groups of active verifications. */
export function activeOf(groups: readonly VerificationGroup[]): readonly VerificationGroup[] {
  return groups.filter(({ status }) => isActive(status));
}
