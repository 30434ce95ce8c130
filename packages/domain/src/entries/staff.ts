/** Users: sign-in and administration ports, roles, invitations and one-time links. */

export { CONFIRMED_MS, isConfirmed } from '../actions/rights.ts';
export { decideSignOn, hasTrustedFactor, type SignOnDecision } from '../staff/access-rules.ts';
export {
  type Accounts,
  type Invitation,
  type JoinOutcome,
  PASSWORD_MAX,
  PASSWORD_MIN,
  passwordLengthRefusal,
  type SecondFactorSetup,
  type WaysToConfirm,
} from '../staff/accounts.ts';
export type {
  AccessRule,
  IdentityKey,
  IdentityUse,
  ProviderName,
  ProviderPolicy,
  ProviderUnavailable,
  SignOnAnswer,
  SignOnCheck,
  SignOnPurpose,
  SingleSignOn,
  VerifiedIdentity,
} from '../staff/identity-provider.ts';
export {
  INVITATION_LIFETIME_MS,
  type IssuedLink,
  type KeepOwner,
  type ListedUser,
  type ManageStaff,
  type NewUserContext,
  type OneTimeLink,
  type UserQuery,
} from '../staff/manage-staff.ts';
export {
  INVITATION_RENEWALS_AN_HOUR,
  type Invited,
  type SecondFactorReset,
  type UserPage,
  type UserSearch,
} from '../staff/manage-users.ts';
export { checkNewUser, type NewUser, normalEmail, USER_NAME_MAX } from '../staff/new-user.ts';
export {
  PASSKEY_NAME_MAX,
  PASSKEYS_MAX,
  type Passkey,
  type PasskeyCheck,
  type PasskeyPurpose,
  type PasskeyRefused,
  type PasskeyRequest,
  type Passkeys,
  type VerifiedPasskey,
} from '../staff/passkeys.ts';
export { BULK_READINGS, type BulkReading, READING_LIMITS } from '../staff/reading-limits.ts';
export { changedRole, leavesNoOwner, type NewRole, type TeamMember } from '../staff/role-change.ts';
export { lacksSecondFactor, type SignIn, type StaffSession } from '../staff/sign-in.ts';
export { SIGN_IN_LIMITS, type SignInLimits, STAFF_SESSION } from '../staff/sign-in-limits.ts';
export type { CookieChange, SignInOutcome, Throttled, Visitor } from '../staff/sign-in-outcome.ts';
export {
  belongsToClient,
  SERVICE_ROLES,
  type ServiceRole,
  STAFF_ROLES,
  type StaffRole,
  type StoredUser,
  TEAM_ROLES,
  type TeamRole,
  type User,
  userFromStored,
} from '../staff/user.ts';
export type { ConnectedUser, ConnectionProof, UserIdentities } from '../staff/user-identities.ts';
export { type AcceptedWays, canSignIn, type WaysToSignIn } from '../staff/ways-to-sign-in.ts';
