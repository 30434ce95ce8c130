import type { FilePartName } from '@countersign/domain/evidence';
import type { CopyPage } from '../actions/exports/export-section.tsx';
import type { RetentionPage } from '../actions/retention/retention-section.tsx';
import { partPath } from '../site/file-answer.ts';

/** Paths of the dashboard below the service's address. Each form is posted to the path of its own page. */
export const HOME_PATH = '/dashboard';
export const KEYS_PATH = '/dashboard/keys';
export const NEW_KEY_PATH = '/dashboard/keys/new';
export const REQUESTS_PATH = '/dashboard/requests';
export const WEBHOOKS_PATH = '/dashboard/webhooks';
export const NEW_WEBHOOK_PATH = '/dashboard/webhooks/new';
export const VERIFICATIONS_PATH = '/dashboard/verifications';
export const NEW_VERIFICATION_PATH = '/dashboard/verifications/new';
export const EXPORT_PATH = '/dashboard/verifications/export';
export const EXPORT_FILE_PATH = '/dashboard/verifications/export.csv';
export const DATA_COPIES_PATH = '/dashboard/data-copies';
export const USAGE_PATH = '/dashboard/usage';
export const SETTINGS_PATH = '/dashboard/settings';
export const RETURN_ADDRESSES_PATH = '/dashboard/return-addresses';
export const REASON_TEMPLATES_PATH = '/dashboard/reason-templates';
export const FLOW_SETTINGS_PATH = '/dashboard/flow';
export const FILE_ACCESS_PATH = '/dashboard/file-access';
export const APPEARANCE_PATH = '/dashboard/face';
export const LOGO_PATH = '/dashboard/face/logo';
export const REMOVE_LOGO_PATH = '/dashboard/face/logo/remove';
export const RETENTION_PATH = '/dashboard/retention';
export const REPORT_PATH = '/dashboard/retention/report';
export const TEAM_PATH = '/dashboard/team';
export const INVITE_PATH = '/dashboard/team/invite';

export function keyPath(keyId: string, action: 'revoke' | 'rotate'): string {
  return `${KEYS_PATH}/${encodeURIComponent(keyId)}/${action}`;
}

/** What a form does with an endpoint. */
export type WebhookAction =
  | 'change'
  | 'pause'
  | 'resume'
  | 'disable'
  | 'enable'
  | 'secret'
  | 'remove'
  | 'test'
  | 'resend';

export function webhookPath(endpointId: string, action?: WebhookAction): string {
  const path = `${WEBHOOKS_PATH}/${encodeURIComponent(endpointId)}`;
  return action === undefined ? path : `${path}/${action}`;
}

export function deliveryPath(endpointId: string, eventId: string, action?: 'resend'): string {
  const path = `${webhookPath(endpointId)}/deliveries/${encodeURIComponent(eventId)}`;
  return action === undefined ? path : `${path}/${action}`;
}

export function userPath(userId: string, action: 'role' | 'remove' | 'invitation'): string {
  return `${TEAM_PATH}/${encodeURIComponent(userId)}/${action}`;
}

/** Returns the path of a file, of one of its drawn pages, or of its thumbnail. */
export function filePath(verificationId: string, fileId: string, part?: FilePartName): string {
  return partPath(`${verificationPath(verificationId)}/files/${encodeURIComponent(fileId)}`, part);
}

export function verificationPath(
  verificationId: string,
  action?: 'withdraw' | 'renew-link' | 'open' | 'export' | CopyPage | RetentionPage,
): string {
  const path = `${VERIFICATIONS_PATH}/${encodeURIComponent(verificationId)}`;
  return action === undefined ? path : `${path}/${action}`;
}
