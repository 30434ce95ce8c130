import type {
  As,
  BrowseRequest,
  CaseSearch,
  ClaimNextInput,
  Countersign,
  KeyLifetimeDays,
  NewApiKey,
  ReasonCode,
  Rejection,
  ReviewQueueInput,
} from '@countersign/domain';
import {
  type AuditRequest,
  approveVerification,
  askForAction,
  type ChangeSubscriptionInput,
  changeSubscription,
  changeTeamRole,
  changeUserRole,
  claimNextVerification,
  claimVerification,
  createClient,
  createUser,
  createVerification,
  disconnectProviders,
  exportVerifications,
  findClients,
  getApiKey,
  getClient,
  getUser,
  inviteToTeam,
  inviteUser,
  issueApiKey,
  issueClientKey,
  issueFirstClientKey,
  listApiKeys,
  listAudit,
  listClientKeys,
  listReviewQueue,
  listTeam,
  listUsers,
  listVerifications,
  noteOnVerification,
  openForReview,
  previewDecision,
  readClientUsage,
  readFileForReview,
  readOwnUsage,
  readQueueSubjects,
  readVerification,
  rejectVerification,
  releaseVerification,
  removeFromTeam,
  removeUser,
  renewTeamInvitation,
  renewVerificationLink,
  resetSecondFactor,
  revokeApiKey,
  revokeClientKey,
  rotateApiKey,
  searchCases,
  setReasonTemplates,
  setReturnAddresses,
  withdrawVerification,
} from '@countersign/domain/actions';
import type { NewClient, ReasonTemplatesInput } from '@countersign/domain/clients';
import type { NewRole, NewUser, TeamRole, User } from '@countersign/domain/staff';

/** A verification at the version that a reviewer saw. */
export interface Seen {
  readonly verificationId: string;
  readonly version: number;
}

/** A reviewer's decision. */
interface Decision extends Seen {
  readonly internalNote?: string;
}

/** The actions of a caller as short calls, grouped by area. */
export interface Operations {
  readonly as: As;
  readonly keys: ReturnType<typeof keysOf>;
  readonly verifications: ReturnType<typeof verificationsOf>;
  readonly team: ReturnType<typeof teamOf>;
  readonly clients: ReturnType<typeof clientsOf>;
  readonly users: ReturnType<typeof usersOf>;
  readonly clientKeys: ReturnType<typeof clientKeysOf>;
  readonly review: ReturnType<typeof reviewOf>;
  readonly audit: { list(request: AuditRequest): ReturnType<typeof auditOf> };
  usage(): ReturnType<typeof usageOf>;
}

/** Groups the actions of a caller by area, for tests that call many of them. */
export function operationsOf(as: As): Operations {
  return {
    as,
    keys: keysOf(as),
    verifications: verificationsOf(as),
    team: teamOf(as),
    clients: clientsOf(as),
    users: usersOf(as),
    clientKeys: clientKeysOf(as),
    review: reviewOf(as),
    audit: { list: (request) => auditOf(as, request) },
    usage: () => usageOf(as),
  };
}

/** The review actions of a signed-in reviewer. */
export function reviewAs(countersign: Countersign, reviewerId = 'staff-1'): Operations['review'] {
  const user: User = {
    id: reviewerId,
    email: `${reviewerId}@example.com`,
    name: reviewerId,
    role: 'reviewer',
    clientId: null,
    teamRole: null,
  };
  const session = { user, signedInAt: new Date(0), withSecondFactor: true, confirmedAt: null };
  return reviewOf(countersign.as({ kind: 'user', session, from: '192.0.2.1' }));
}

const auditOf = (as: As, request: AuditRequest) => as.run(listAudit, request);
const usageOf = (as: As) => as.run(readOwnUsage, {});

const keysOf = (as: As) => ({
  list: () => as.run(listApiKeys, {}),
  get: (keyId: string) => as.run(getApiKey, { keyId }),
  issue: (input: NewApiKey) => as.runUnchecked(issueApiKey, input),
  rotate: (keyId: string, input: { readonly expiresInDays?: KeyLifetimeDays | undefined }) =>
    as.run(rotateApiKey, { keyId, ...input }),
  revoke: (keyId: string, name: string) => as.run(revokeApiKey, { keyId, name }),
});

const verificationsOf = (as: As) => ({
  browse: (request: BrowseRequest & { readonly after?: string | undefined }) => as.run(listVerifications, request),
  open: (verificationId: string) => as.run(readVerification, { verificationId }),
  create: (input: object, options: { readonly idempotencyKey?: string | undefined } = {}) => {
    const { metadata, ...rest } = input as { readonly metadata?: unknown };
    const text = metadata === undefined ? undefined : JSON.stringify(metadata);
    return as.runUnchecked(createVerification, { ...rest, metadata: text, ...options });
  },
  withdraw: (verificationId: string) => as.run(withdrawVerification, { verificationId }),
  renewLink: (verificationId: string) => as.run(renewVerificationLink, { verificationId }),
  export: (request: BrowseRequest) => as.run(exportVerifications, request),
});

const teamOf = (as: As) => ({
  list: () => as.run(listTeam, {}),
  invite: (input: { readonly email: string; readonly name?: string; readonly teamRole: TeamRole }) =>
    as.run(inviteToTeam, input),
  renewInvitation: (userId: string) => as.run(renewTeamInvitation, { userId }),
  changeRole: (userId: string, teamRole: TeamRole) => as.run(changeTeamRole, { userId, teamRole }),
  remove: (userId: string) => as.run(removeFromTeam, { userId }),
});

const clientsOf = (as: As) => ({
  get: (clientId: string) => as.run(getClient, { clientId }),
  usage: (clientId: string) => as.run(readClientUsage, { clientId }),
  create: (input: NewClient) => as.run(createClient, input),
  setSubscription: (clientId: string, settings: Omit<ChangeSubscriptionInput, 'clientId'>) =>
    as.run(changeSubscription, { clientId, ...settings }),
  setReturnAddresses: (clientId: string, returnAddresses: readonly string[]) =>
    as.run(setReturnAddresses, { clientId, returnAddresses }),
  setReasonTemplates: (clientId: string, templates: ReasonTemplatesInput) =>
    as.run(setReasonTemplates, { clientId, ...templates }),
});

const usersOf = (as: As) => ({
  list: (of?: { readonly clientId: string }) => as.run(listUsers, { ...of }),
  get: (userId: string) => as.run(getUser, { userId }),
  create: (input: NewUser) => as.run(createUser, input),
  invite: (userId: string) => as.run(inviteUser, { userId }),
  changeRole: (userId: string, to: NewRole) => as.run(changeUserRole, { userId, ...to }),
  resetSecondFactor: (userId: string) => as.run(resetSecondFactor, { userId }),
  disconnectProviders: (userId: string) => as.run(disconnectProviders, { userId }),
  /** @param email the user's address; default: an address without a user */
  remove: (userId: string, email = 'no-user@example.org') => as.run(removeUser, { userId, email }),
});

const clientKeysOf = (as: As) => ({
  list: (clientId: string) => as.run(listClientKeys, { clientId }),
  issue: (clientId: string, input: NewApiKey) => as.run(issueClientKey, { clientId, ...input }),
  issueFirst: (clientId: string, input: NewApiKey) => as.run(issueFirstClientKey, { clientId, ...input }),
  revoke: (clientId: string, keyId: string) => as.run(revokeClientKey, { clientId, keyId }),
});

const reviewOf = (as: As) => ({
  search: (input: CaseSearch) => as.run(searchCases, input),
  queue: (query: ReviewQueueInput = {}) => as.run(listReviewQueue, query),
  subjects: (verificationIds: readonly string[]) => as.run(readQueueSubjects, { verificationIds }),
  clients: () => as.run(findClients, {}),
  open: (verificationId: string, options: { readonly allEvents?: boolean } = {}) =>
    as.run(openForReview, { verificationId, ...options }),
  preview: (verificationId: string) => as.run(previewDecision, { verificationId }),
  readFile: (verificationId: string, fileId: string, part: { readonly thumbnail?: boolean } = {}) =>
    as.run(readFileForReview, { verificationId, fileId, ...part }),
  claim: (seen: Seen) => as.run(claimVerification, seen),
  claimNext: (filters: ClaimNextInput = {}) => as.run(claimNextVerification, filters),
  release: (seen: Seen) => as.run(releaseVerification, seen),
  note: (seen: Seen, text: string) => as.run(noteOnVerification, { ...seen, text }),
  approve: (decision: Decision & { readonly checkedWarnings?: readonly string[] }) =>
    as.run(approveVerification, decision),
  reject: (decision: Decision, rejection: Rejection) => as.run(rejectVerification, { ...decision, ...rejection }),
  askForAction: (
    decision: Decision,
    request: {
      readonly items: readonly {
        readonly step: string;
        readonly reasonCode: ReasonCode;
        readonly note?: string | undefined;
        readonly field?: string | undefined;
      }[];
      readonly message?: string | undefined;
    },
  ) => as.runUnchecked(askForAction, { ...decision, ...request }),
});
