import {
  type ActionEntry,
  approveVerification,
  askForAction,
  changeAppearance,
  changeFlowSettings,
  changeLogo,
  changeReasonTemplates,
  changeReturnAddresses,
  changeSubscription,
  changeTeamRole,
  changeUserRole,
  changeWebhook,
  claimNextVerification,
  claimVerification,
  createClient,
  createUser,
  createVerification,
  createWebhook,
  declineExport,
  disableWebhook,
  disconnectProviders,
  enableWebhook,
  endVerificationRelationship,
  eraseVerificationData,
  exportVerificationData,
  exportVerifications,
  getClient,
  getOwnClient,
  getUser,
  getWebhook,
  handOverVerification,
  holdVerification,
  inviteToTeam,
  inviteUser,
  issueApiKey,
  issueFirstClientKey,
  listApiKeys,
  listApiRequests,
  listAudit,
  listClientKeys,
  listExports,
  listReviewQueue,
  listTeam,
  listVerifications,
  listWebhookAttempts,
  listWebhooks,
  noteOnVerification,
  openForReview,
  openRestrictedData,
  pauseWebhook,
  readClientUsage,
  readFileForReview,
  readOwnRetentionPolicy,
  readOwnRetentionReport,
  readOwnUsage,
  readRetentionReport,
  readServiceState,
  readVerification,
  readVerificationFile,
  rejectVerification,
  releaseExport,
  releaseVerification,
  releaseVerificationHold,
  removeFromTeam,
  removeLogo,
  removeUser,
  removeWebhook,
  renewTeamInvitation,
  renewVerificationLink,
  resendWebhook,
  resendWebhooksSince,
  resetSecondFactor,
  resumeWebhook,
  revokeApiKey,
  rotateApiKey,
  rotateWebhookSecret,
  searchCases,
  searchClients,
  searchUsers,
  setClientFlowSettings,
  setReasonTemplates,
  setRetentionPolicy,
  setReturnAddresses,
  switchFileAccess,
  testWebhook,
  withdrawVerification,
} from '@countersign/domain/actions';
import type { StaffRole } from '@countersign/domain/staff';

/** An area of pages for staff, with the roles that may enter it. */
export const AREAS: Readonly<Record<'dashboard' | 'review' | 'admin', readonly StaffRole[]>> = {
  dashboard: ['client'],
  review: ['reviewer', 'operator'],
  admin: ['operator'],
};

/** What a route asks of its caller. */
export type Guard =
  /** Anyone may ask. */
  | { readonly kind: 'public' }
  /** Needs a session of staff, with any role. */
  | { readonly kind: 'signed_in' }
  /** Needs the session that the verification's link has begun. */
  | { readonly kind: 'subject' }
  /** Is itself a link: the token decides. */
  | { readonly kind: 'link' }
  /** Is itself a link to a copy of data, and no caller of the matrix has one. */
  | { readonly kind: 'copy_link' }
  /** Is itself a link with a hand-over code, and no caller of the matrix has one. */
  | { readonly kind: 'hand_over' }
  /** Needs a role of the area and, of its callers, one of those whom the catalogue allows the action. */
  | { readonly kind: 'area'; readonly area: keyof typeof AREAS; readonly action: ActionEntry | null };

const PUBLIC: Guard = { kind: 'public' };
const SIGNED_IN: Guard = { kind: 'signed_in' };
const SUBJECT: Guard = { kind: 'subject' };

type Routes = Readonly<Record<string, ActionEntry | null>>;

/** Routes of the areas below their path, each with the action that it shows or runs. `null` needs only the area. */
const AREA_ROUTES: Readonly<Record<keyof typeof AREAS, Routes>> = {
  dashboard: {
    'GET ': getOwnClient,
    'GET /usage': readOwnUsage,
    'GET /settings': getOwnClient,
    'GET /requests': listApiRequests,
    'GET /keys': listApiKeys,
    ...forms('/keys/new', issueApiKey),
    ...forms('/keys/{keyId}/rotate', rotateApiKey),
    ...forms('/keys/{keyId}/revoke', revokeApiKey),
    'GET /webhooks': listWebhooks,
    ...forms('/webhooks/new', createWebhook),
    'GET /webhooks/{endpointId}': getWebhook,
    ...forms('/webhooks/{endpointId}/change', changeWebhook),
    ...forms('/webhooks/{endpointId}/pause', pauseWebhook),
    ...forms('/webhooks/{endpointId}/resume', resumeWebhook),
    ...forms('/webhooks/{endpointId}/disable', disableWebhook),
    ...forms('/webhooks/{endpointId}/enable', enableWebhook),
    ...forms('/webhooks/{endpointId}/secret', rotateWebhookSecret),
    ...forms('/webhooks/{endpointId}/remove', removeWebhook),
    ...forms('/webhooks/{endpointId}/test', testWebhook),
    ...forms('/webhooks/{endpointId}/resend', resendWebhooksSince),
    'GET /webhooks/{endpointId}/deliveries/{eventId}': listWebhookAttempts,
    ...forms('/webhooks/{endpointId}/deliveries/{eventId}/resend', resendWebhook),
    'GET /verifications': listVerifications,
    ...forms('/verifications/new', createVerification),
    'GET /verifications/export': exportVerifications,
    'GET /verifications/export.csv': exportVerifications,
    'GET /verifications/{verificationId}': readVerification,
    'GET /verifications/{verificationId}/export': exportVerificationData,
    'GET /verifications/{verificationId}/files/{fileId}': readVerificationFile,
    'GET /verifications/{verificationId}/files/{fileId}/thumbnail': readVerificationFile,
    'GET /verifications/{verificationId}/files/{fileId}/pages/{page}': readVerificationFile,
    ...forms('/verifications/{verificationId}/withdraw', withdrawVerification),
    ...forms('/verifications/{verificationId}/renew-link', renewVerificationLink),
    ...retentionForms('/verifications'),
    ...forms('/verifications/{verificationId}/open', openRestrictedData),
    'GET /team': listTeam,
    ...forms('/return-addresses', changeReturnAddresses),
    ...forms('/file-access', switchFileAccess),
    ...forms('/flow', changeFlowSettings),
    ...forms('/reason-templates', changeReasonTemplates),
    ...forms('/face', changeAppearance),
    ...forms('/face/logo', changeLogo),
    ...forms('/face/logo/remove', removeLogo),
    'GET /retention': readOwnRetentionPolicy,
    ...reportFiles('/retention/report', readOwnRetentionReport),
    'GET /data-copies': listExports,
    ...forms('/verifications/{verificationId}/data-copy', releaseExport),
    ...forms('/verifications/{verificationId}/decline-copy', declineExport),
    ...forms('/team/invite', inviteToTeam),
    ...forms('/team/{userId}/role', changeTeamRole),
    ...forms('/team/{userId}/remove', removeFromTeam),
    ...forms('/team/{userId}/invitation', renewTeamInvitation),
  },
  review: {
    'GET ': listReviewQueue,
    ...forms('/search', searchCases),
    'POST /next': claimNextVerification,
    ...forms('/keys', null),
    'GET /{id}': openForReview,
    'GET /{id}/files/{fileId}': readFileForReview,
    'GET /{id}/files/{fileId}/thumbnail': readFileForReview,
    'GET /{id}/files/{fileId}/pages/{page}': readFileForReview,
    ...reviewForm('claim', claimVerification),
    ...reviewForm('release', releaseVerification),
    ...forms('/{verificationId}/hand-over', handOverVerification),
    ...reviewForm('note', noteOnVerification),
    ...reviewForm('approve', approveVerification),
    ...reviewForm('reject', rejectVerification),
    ...reviewForm('ask', askForAction),
    ...retentionForms(''),
    ...forms('/{verificationId}/data-copy', releaseExport),
    ...forms('/{verificationId}/decline-copy', declineExport),
  },
  admin: {
    'GET ': searchClients,
    ...forms('/clients/new', createClient),
    'GET /clients/{clientId}': getClient,
    'GET /clients/{clientId}/usage': readClientUsage,
    ...forms('/clients/{clientId}/subscription', changeSubscription),
    // The client of the matrix has a key, so the page has no form and asks for no password.
    'GET /clients/{clientId}/first-key': listClientKeys,
    'POST /clients/{clientId}/first-key': issueFirstClientKey,
    ...forms('/clients/{clientId}/return-addresses', setReturnAddresses),
    ...forms('/clients/{clientId}/flow', setClientFlowSettings),
    ...forms('/clients/{clientId}/reason-templates', setReasonTemplates),
    ...forms('/clients/{clientId}/retention', setRetentionPolicy),
    ...reportFiles('/clients/{clientId}/retention/report', readRetentionReport),
    'GET /status': readServiceState,
    'GET /users': searchUsers,
    ...forms('/users/new', createUser),
    'GET /users/{userId}': getUser,
    ...forms('/users/{userId}/role', changeUserRole),
    ...forms('/users/{userId}/invitation', inviteUser),
    ...forms('/users/{userId}/second-factor', resetSecondFactor),
    ...forms('/users/{userId}/identities', disconnectProviders),
    ...forms('/users/{userId}/remove', removeUser),
    'GET /audit': listAudit,
    'GET /data-copies': listExports,
  },
};

/** A page and the form on it. */
function forms(path: string, action: ActionEntry | null): Routes {
  return { [`GET ${path}`]: action, [`POST ${path}`]: action };
}

/** A report, and its files. */
function reportFiles(path: string, action: ActionEntry): Routes {
  return Object.fromEntries(['', '.html', '.csv'].map((file) => [`GET ${path}${file}`, action]));
}

/** The pages of retention of a verification. */
function retentionForms(path: string): Routes {
  const of = `${path}/{verificationId}`;
  return {
    ...forms(`${of}/hold`, holdVerification),
    ...forms(`${of}/release-hold`, releaseVerificationHold),
    ...forms(`${of}/relationship-end`, endVerificationRelationship),
    ...forms(`${of}/erase`, eraseVerificationData),
  };
}

/** A form on the page of a verification. Its own address redirects there. */
function reviewForm(name: string, action: ActionEntry): Routes {
  return { [`POST /{id}/${name}`]: action, [`GET /{id}/${name}`]: null };
}

const OTHER_ROUTES: Readonly<Record<string, Guard>> = {
  'GET /': PUBLIC,
  'POST /language': PUBLIC,
  'GET /faces/{coloured}/{name}': PUBLIC,
  'GET /faces/previews/standard.css': PUBLIC,
  'GET /faces/logos/{clientId}/{name}': PUBLIC,
  'GET /verify/{reference}': { kind: 'link' },
  'GET /verify/{id}': SUBJECT,
  'GET /verify/{id}/check': SUBJECT,
  'POST /verify/{id}/check': SUBJECT,
  'GET /verify/{id}/files/{fileId}': SUBJECT,
  'GET /verify/{id}/continue/{code}': { kind: 'hand_over' },
  'POST /verify/{id}/continue/{code}': { kind: 'hand_over' },
  'GET /verify/{id}/files/{fileId}/thumbnail': SUBJECT,
  'GET /verify/{id}/phone': SUBJECT,
  'POST /verify/{id}/phone': SUBJECT,
  'GET /verify/{id}/phone/progress': SUBJECT,
  'GET /verify/{id}/data-copy': SUBJECT,
  'POST /verify/{id}/data-copy': SUBJECT,
  'GET /verify/{id}/{slug}': SUBJECT,
  'POST /verify/{id}/{slug}': SUBJECT,
  'GET /export/{link}': { kind: 'copy_link' },
  'POST /export/{link}': { kind: 'copy_link' },
  'GET /account': PUBLIC,
  'GET /account/sign-in': PUBLIC,
  'POST /account/sign-in': PUBLIC,
  'GET /account/second-factor': PUBLIC,
  'POST /account/second-factor': PUBLIC,
  // Without passkeys, a redirect for every caller.
  'GET /account/passkey': PUBLIC,
  'POST /account/passkey': PUBLIC,
  'GET /account/second-factor/passkey': PUBLIC,
  'POST /account/second-factor/passkey': PUBLIC,
  'GET /account/welcome/{token}': PUBLIC,
  'POST /account/welcome/{token}': PUBLIC,
  'GET /account/lost-device/{token}': PUBLIC,
  'POST /account/lost-device/{token}': PUBLIC,
  'GET /account/forgot-password': PUBLIC,
  'POST /account/forgot-password': PUBLIC,
  'POST /account/sign-out': PUBLIC,
  // Without identity providers, 404 for every caller.
  'GET /account/sso/{provider}': PUBLIC,
  'GET /account/sso/{provider}/callback': PUBLIC,
  'GET /account/confirm': SIGNED_IN,
  'POST /account/confirm': SIGNED_IN,
  'GET /account/security': SIGNED_IN,
  'GET /account/security/passkeys': SIGNED_IN,
  'POST /account/security/passkeys': SIGNED_IN,
  'POST /account/security/passkeys/remove': SIGNED_IN,
  // Redirects every caller to the page of the forms.
  'GET /account/security/passkeys/remove': PUBLIC,
  // Without identity providers, a redirect to the page of security.
  'GET /account/security/providers': SIGNED_IN,
  'POST /account/security/providers/disconnect': SIGNED_IN,
  'GET /account/security/providers/disconnect': PUBLIC,
  'GET /account/security/begin': PUBLIC,
  'GET /account/security/confirm': PUBLIC,
  'GET /account/security/remove': PUBLIC,
  'POST /account/security/begin': SIGNED_IN,
  'POST /account/security/confirm': SIGNED_IN,
  'POST /account/security/remove': SIGNED_IN,
};

/** Where the dashboard is in test mode. */
export const TEST_DASHBOARD = '/dashboard/test';

/** Parts of the dashboard that are of live mode only. */
const LIVE_ONLY = /^\w+ \/(?:team|retention|file-access|flow|reason-templates|face)(?:\/|\.|$)/;

/** The guard of each route of the pages, as the log names it: `GET /review/{id}`. */
export const GUARDS: ReadonlyMap<string, Guard> = new Map<string, Guard>([
  ...Object.entries(OTHER_ROUTES),
  ...Object.entries(AREA_ROUTES).flatMap(([area, routes]) =>
    Object.entries(routes).flatMap(([route, action]): [string, Guard][] => {
      const [method, path] = route.split(' ');
      const guard: Guard = { kind: 'area', area: area as keyof typeof AREAS, action };
      const inTest: [string, Guard][] =
        area === 'dashboard' && !LIVE_ONLY.test(route) ? [[`${method} ${TEST_DASHBOARD}${path}`, guard]] : [];
      return [[`${method} /${area}${path}`, guard], ...inTest];
    }),
  ),
]);
