import { VERIFICATIONS_PATH } from '../paths.ts';

/** Paths of verifications in the dashboard. Each form is posted to the path of its own page. */
export const EXPORT_PATH: string = `${VERIFICATIONS_PATH}/export`;
export const EXPORT_FILE_PATH: string = `${VERIFICATIONS_PATH}/export.csv`;

export function verificationPath(verificationId: string): string {
  return `${VERIFICATIONS_PATH}/${encodeURIComponent(verificationId)}`;
}

export function movePath(verificationId: string, move: 'withdraw' | 'renew-link'): string {
  return `${verificationPath(verificationId)}/${move}`;
}

/** Styles of the pages of verifications. */
export const STYLES: readonly string[] = ['dashboard-verifications.css'];
