/** The catalogue of actions: everything that signed-in users, operators and the command line do. `countersign.as(caller).run` runs them. */

export type { AccountActions } from '../actions/account.ts';
export type { PasskeyAccess, PasskeyActions } from '../actions/account-passkeys.ts';
export type { OwnProvider, ProviderActions } from '../actions/account-providers.ts';
export type { SignOnActions } from '../actions/account-sign-on.ts';
export { type Action, type ActionEntry, defineAction, isAvailable } from '../actions/action.ts';
export {
  getApiKey,
  issueApiKey,
  listApiKeys,
  listApiRequests,
  revokeApiKey,
  rotateApiKey,
} from '../actions/api-keys.ts';
export {
  changeAppearance,
  changeLogo,
  getClientAppearance,
  getOwnAppearance,
  removeLogo,
} from '../actions/appearance.ts';
export { type AuditRequest, listAudit } from '../actions/audit.ts';
export { ACCOUNT_ACTIONS, ACTIONS, AUDIT_ACTIONS, auditActionsOf } from '../actions/catalogue.ts';
export {
  type ChangeSubscriptionInput,
  changeReturnAddresses,
  changeSubscription,
  createClient,
  getClient,
  getOwnClient,
  getTestTwin,
  issueClientKey,
  issueFirstClientKey,
  listClientKeys,
  listClients,
  readClientMonth,
  readClientUsage,
  readOwnMonth,
  readOwnUsage,
  revokeClientKey,
  searchClients,
  setReturnAddresses,
  switchFileAccess,
} from '../actions/clients.ts';
export { declineExport, listExports, readExport, releaseExport } from '../actions/exports.ts';
export {
  changeFlowSettings,
  getClientFlowSettings,
  getOwnFlowSettings,
  setClientFlowSettings,
} from '../actions/flow-settings.ts';
export { readServiceState } from '../actions/operations.ts';
export { listAttention, readFirstSteps, readOwnActivity } from '../actions/overview.ts';
export { changeReasonTemplates, setReasonTemplates } from '../actions/reason-templates.ts';
export {
  endVerificationRelationship,
  eraseVerificationData,
  holdVerification,
  openRestrictedData,
  readOwnRetentionPolicy,
  readOwnRetentionReport,
  readRetentionPolicy,
  readRetentionReport,
  releaseVerificationHold,
  type SetRetentionPolicyInput,
  setRetentionPolicy,
} from '../actions/retention.ts';
export {
  approveVerification,
  askForAction,
  type ClientName,
  claimNextVerification,
  claimVerification,
  findClients,
  handOverVerification,
  listReviewQueue,
  nameClients,
  noteOnVerification,
  openForReview,
  previewDecision,
  readFileForReview,
  readQueueSubjects,
  readTeamDay,
  rejectVerification,
  releaseVerification,
  searchCases,
} from '../actions/review.ts';
export type { Who } from '../actions/rights.ts';
export type { SignOnOutcome, SignOnRefusal } from '../actions/sign-on-changes.ts';
export { changeTeamRole, inviteToTeam, listTeam, removeFromTeam, renewTeamInvitation } from '../actions/team.ts';
export {
  allowPassword,
  changeUserRole,
  createUser,
  disconnectProviders,
  getUser,
  inviteUser,
  listUsers,
  removeUser,
  resetSecondFactor,
  searchUsers,
} from '../actions/users.ts';
export {
  type CreateVerificationInput,
  createVerification,
  exportVerificationData,
  exportVerifications,
  listVerifications,
  readVerification,
  readVerificationFile,
  renewVerificationLink,
  withdrawVerification,
} from '../actions/verifications.ts';
export {
  changeWebhook,
  createWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listWebhookAttempts,
  listWebhookDeliveries,
  listWebhooks,
  type OfClient,
  type OnDelivery,
  type OnEndpoint,
  type OnSecret,
  pauseWebhook,
  removeWebhook,
  resendWebhook,
  resendWebhooksSince,
  resumeWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '../actions/webhooks.ts';
export type { TeamRight } from '../staff/team-rights.ts';
