import type { Actor, SignIn } from '@countersign/domain';
import type { Translate } from '../site/messages.ts';

/** Names of users by id. */
export interface Names {
  /** The user's name, or a text for an account that no longer exists. */
  of(userId: string | null): string;
  ofActor(actor: Actor): string;
}

/** Looks up the names of users. */
export async function namesOf(staffIds: readonly (string | null)[], signIn: SignIn, t: Translate): Promise<Names> {
  const ids = [...new Set(staffIds.filter((id) => id !== null))];
  const names = new Map(await Promise.all(ids.map(async (id) => [id, await signIn.nameOf(id)] as const)));
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null));
  return {
    of: (id) => nameOf(id) ?? t('wording:actor.unknown'),
    // An actor without an account, such as an API key, is named by its kind.
    ofActor: ({ kind, id }) => nameOf(id) ?? t(`wording:actor.${kind}`),
  };
}
