import type { AuditEntry, ClientWithSubscription, SignIn } from '@countersign/domain';
import { hasMessage, type Translate } from '../../site/messages.ts';

/** How those are called whom lines of the audit log are about. Null where an id has no name, or no longer. */
export interface AuditNames {
  ofStaff(userId: string): string | null;
  ofClient(clientId: string): string | null;
}

export async function namesOfEntries(
  entries: readonly AuditEntry[],
  signIn: SignIn,
  clients: readonly ClientWithSubscription[],
): Promise<AuditNames> {
  const ids = new Set(
    entries.flatMap(({ actor, action, targetId }) => [actor.id, isAboutStaff(action) && targetId]),
  );
  const asked = [...ids].filter((id) => typeof id === 'string');
  const staff = new Map(await Promise.all(asked.map(async (id) => [id, await signIn.nameOf(id)] as const)));
  const names = new Map(clients.map(({ client }) => [client.id, client.name]));
  return {
    ofStaff: (userId) => staff.get(userId) ?? null,
    ofClient: (clientId) => names.get(clientId) ?? null,
  };
}

/** The name of an action; its id, for an action that this version does not know. */
export function actionInWords(action: AuditEntry['action'], t: Translate): string {
  const key = `actions:${action}.name`;
  return hasMessage(key) ? t(key) : action;
}

/** Whether what an act was about is somebody who signs in. */
export function isAboutStaff(action: AuditEntry['action']): boolean {
  return ['users.', 'team.', 'account.'].some((kind) => action.startsWith(kind));
}

/** Whether it was about a verification, which operators may open. */
export function isAboutVerification(action: AuditEntry['action']): boolean {
  return action.startsWith('verifications.') || action.startsWith('review.');
}
