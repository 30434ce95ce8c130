import type { AuditAction } from '../audit/audit-entry.ts';
import type { ActionEntry } from './action.ts';
import { getApiKey, issueApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.ts';
import { listAudit } from './audit.ts';
import {
  changeSubscription,
  createClient,
  getClient,
  getOwnClient,
  issueClientKey,
  listClientKeys,
  listClients,
  readClientUsage,
  readOwnUsage,
  revokeClientKey,
  switchSandbox,
} from './clients.ts';
import {
  approveVerification,
  askForAction,
  claimVerification,
  listReviewQueue,
  noteOnVerification,
  openForReview,
  previewDecision,
  readFileForReview,
  rejectVerification,
  releaseVerification,
} from './review.ts';
import { changeTeamRole, inviteToTeam, listTeam, removeFromTeam, renewTeamInvitation } from './team.ts';
import {
  changeUserRole,
  createUser,
  getUser,
  inviteUser,
  listUsers,
  removeUser,
  resetSecondFactor,
} from './users.ts';
import {
  createVerification,
  exportVerifications,
  listVerifications,
  readVerification,
  renewVerificationLink,
  withdrawVerification,
} from './verifications.ts';

/** Every action, in the order of filters. */
export const ACTIONS: readonly ActionEntry[] = [
  listApiKeys,
  getApiKey,
  issueApiKey,
  rotateApiKey,
  revokeApiKey,
  listVerifications,
  readVerification,
  createVerification,
  exportVerifications,
  withdrawVerification,
  renewVerificationLink,
  listReviewQueue,
  openForReview,
  previewDecision,
  readFileForReview,
  claimVerification,
  releaseVerification,
  noteOnVerification,
  approveVerification,
  rejectVerification,
  askForAction,
  listTeam,
  inviteToTeam,
  renewTeamInvitation,
  changeTeamRole,
  removeFromTeam,
  getOwnClient,
  readOwnUsage,
  listClients,
  getClient,
  readClientUsage,
  createClient,
  changeSubscription,
  switchSandbox,
  listClientKeys,
  issueClientKey,
  revokeClientKey,
  listUsers,
  getUser,
  createUser,
  inviteUser,
  changeUserRole,
  resetSecondFactor,
  removeUser,
  listAudit,
];

/** What people do with their own account: recorded like actions, run by `As.account`. */
export const ACCOUNT_ACTIONS: readonly AuditAction[] = [
  'account.sign_in',
  'account.sign_out',
  'account.join',
  'account.add_second_factor',
  'account.remove_second_factor',
  'account.confirm_identity',
];

/** Every action of the audit log. `page.request` is a page or form that was refused before it reached an action. */
export const AUDIT_ACTIONS: readonly AuditAction[] = [
  ...ACTIONS.map(({ id }) => id),
  ...ACCOUNT_ACTIONS,
  'page.request',
];
