import { type AuditAction, DATA_ERASED_ACTION, USE_KEY_ACTION } from '../audit/audit-entry.ts';
import { FURTHER_REFUSALS } from '../audit/refusal-log.ts';
import { DOWNLOAD_ACTION } from '../exports/person-exports.ts';
import type { StoragePart } from '../storage-part.ts';
import { ISSUE_HAND_OVER_ACTION, SPEND_HAND_OVER_ACTION } from '../verification/subject-hand-overs.ts';
import { type ActionEntry, isAvailable } from './action.ts';
import * as apiKeys from './api-keys.ts';
import * as appearance from './appearance.ts';
import * as audit from './audit.ts';
import * as clients from './clients.ts';
import * as exports from './exports.ts';
import * as flowSettings from './flow-settings.ts';
import * as operations from './operations.ts';
import * as overview from './overview.ts';
import * as reasonTemplates from './reason-templates.ts';
import * as retention from './retention.ts';
import * as review from './review.ts';
import * as team from './team.ts';
import * as users from './users.ts';
import * as verifications from './verifications.ts';
import { BULK_READING_ACTION } from './watch-reading.ts';
import * as webhooks from './webhooks.ts';

/** Each file of an area exports its actions and no other value. */
const AREAS: readonly Readonly<Record<string, ActionEntry>>[] = [
  apiKeys,
  audit,
  clients,
  exports,
  appearance,
  flowSettings,
  operations,
  overview,
  reasonTemplates,
  retention,
  review,
  team,
  users,
  verifications,
  webhooks,
];

/** Every action, ordered by id. */
export const ACTIONS: readonly ActionEntry[] = AREAS.flatMap((area) => Object.values(area)).sort((a, b) =>
  a.id < b.id ? -1 : 1,
);

/** Actions of users on their own account: recorded like the others, run by `As.account`. */
export const ACCOUNT_ACTIONS: readonly AuditAction[] = [
  'account.sign_in',
  'account.sign_out',
  'account.join',
  'account.reset_password',
  'account.reset_second_factor',
  'account.add_second_factor',
  'account.remove_second_factor',
  'account.add_passkey',
  'account.remove_passkey',
  'account.confirm_identity',
  'account.connect_provider',
  'account.disconnect_provider',
  // By the claims of an identity provider.
  'account.provision',
  'account.change_role',
  'account.withdraw_access',
];

/** Actions of earlier versions, whose entries remain. Sandbox: until 0.2. */
const FORMER_ACTIONS: readonly AuditAction[] = ['clients.switch_sandbox'];

/** What the audit log records beside the actions of the catalogue, with the parts of the storage that it needs. */
const OTHER_RECORDED: readonly Pick<ActionEntry, 'id' | 'needs'>[] = [
  ...ACCOUNT_ACTIONS.map(withoutNeeds),
  withoutNeeds(BULK_READING_ACTION),
  { id: DATA_ERASED_ACTION, needs: ['retention'] },
  { id: DOWNLOAD_ACTION, needs: ['exports'] },
  { id: ISSUE_HAND_OVER_ACTION, needs: ['handOvers'] },
  { id: SPEND_HAND_OVER_ACTION, needs: ['handOvers'] },
  ...(['page.request', USE_KEY_ACTION, FURTHER_REFUSALS, ...FORMER_ACTIONS] as const).map(withoutNeeds),
];

function withoutNeeds(id: AuditAction): Pick<ActionEntry, 'id' | 'needs'> {
  return { id, needs: [] };
}

/**
 * Every action of the audit log. `review.bulk_reading` is an alarm about a reviewer, `api_keys.use` is a request that a key's networks refused. `page.request` is a page or form that was refused before it reached an action,
 * `audit.further_refusals` a summary of refused attempts at different actions.
 */
export const AUDIT_ACTIONS: readonly AuditAction[] = [...ACTIONS, ...OTHER_RECORDED].map(({ id }) => id);

/**
 * Returns the actions that entries of a service's audit log can have.
 * @param parts the parts of its storage
 * @param actions its catalogue
 *
 * @example
 * const recorded = auditActionsOf(countersign.parts, ACTIONS);
 */
export function auditActionsOf(
  parts: ReadonlySet<StoragePart>,
  actions: readonly Pick<ActionEntry, 'id' | 'needs'>[],
): readonly AuditAction[] {
  const available = [...actions, ...ACTIONS, ...OTHER_RECORDED].filter((action) => isAvailable(action, parts));
  return [...new Set(available.map(({ id }) => id))];
}
