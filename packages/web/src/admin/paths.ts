/** Paths of the operator's pages below the service's address. Each form is posted to the path of its own page. */
export const CLIENTS_PATH = '/admin';
export const NEW_CLIENT_PATH = '/admin/clients/new';
export const USERS_PATH = '/admin/users';
export const NEW_USER_PATH = '/admin/users/new';
export const DATA_COPIES_PATH = '/admin/data-copies';
export const AUDIT_PATH = '/admin/audit';
export const STATUS_PATH = '/admin/status';

/** The pages below that of a client. */
export type ClientPart =
  | 'subscription'
  | 'return-addresses'
  | 'flow'
  | 'reason-templates'
  | 'retention'
  | 'retention/report'
  | 'usage'
  | 'first-key';

export function clientPath(clientId: string, part?: ClientPart): string {
  const path = `/admin/clients/${encodeURIComponent(clientId)}`;
  return part === undefined ? path : `${path}/${part}`;
}

/** The pages below that of a user. */
export type UserAction = 'role' | 'invitation' | 'second-factor' | 'identities' | 'remove';

export function userPath(userId: string, action?: UserAction): string {
  const path = `${USERS_PATH}/${encodeURIComponent(userId)}`;
  return action === undefined ? path : `${path}/${action}`;
}

export function newUserPathFor(clientId: string): string {
  return `${NEW_USER_PATH}?client=${encodeURIComponent(clientId)}`;
}

/** Lines of the audit log about a client, by a user, or of one action. */
export function auditPathFor(
  filter: { readonly client: string } | { readonly actor: string } | { readonly action: string },
): string {
  return `${AUDIT_PATH}?${new URLSearchParams(filter).toString()}`;
}
