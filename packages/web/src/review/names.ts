import type { Actor, ReviewCase, SignIn } from '@countersign/domain';
import type { Translate } from '../site/messages.ts';

/** How members of staff are called, by id. */
export interface Names {
  /** Of a reviewer; of one whose account is gone, words for that. */
  of(userId: string | null): string;
  ofActor(actor: Actor): string;
}

/** Looks up whoever had a part in a case. */
export async function namesIn({ verification, events }: ReviewCase, signIn: SignIn, t: Translate): Promise<Names> {
  const claim = 'claim' in verification ? verification.claim : null;
  return namesOf(
    [
      ...events.map(({ actor }) => actor.id),
      ...verification.internalNotes.map(({ reviewerId }) => reviewerId),
      claim?.reviewerId ?? null,
    ],
    signIn,
    t,
  );
}

export async function namesOf(staffIds: readonly (string | null)[], signIn: SignIn, t: Translate): Promise<Names> {
  const ids = [...new Set(staffIds.filter((id) => id !== null))];
  const names = new Map(await Promise.all(ids.map(async (id) => [id, await signIn.nameOf(id)] as const)));
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null));
  return {
    of: (id) => nameOf(id) ?? t('wording:actor.unknown'),
    // A client's id is that of a key, which has no name here.
    ofActor: ({ kind, id }) => nameOf(id) ?? t(`wording:actor.${kind}`),
  };
}
