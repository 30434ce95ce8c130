import type { CopyPage } from '../actions/exports/export-section.tsx';
import type { RetentionPage } from '../actions/retention/retention-section.tsx';

/** Paths of the console below the service's address. */
export const QUEUE_PATH = '/review';
export const KEYS_PATH = '/review/keys';
export const NEXT_PATH = '/review/next';

export function reviewPath(verificationId: string): string {
  return `/review/${encodeURIComponent(verificationId)}`;
}

export function actionPath(verificationId: string, action: string): string {
  return `${reviewPath(verificationId)}/${action}`;
}

export function retentionPath(verificationId: string, page?: RetentionPage | CopyPage): string {
  return page === undefined ? reviewPath(verificationId) : actionPath(verificationId, page);
}

/** Returns the path of a file, or of one of its drawn pages. */
export function filePath(verificationId: string, fileId: string, page?: number): string {
  const path = `${reviewPath(verificationId)}/files/${encodeURIComponent(fileId)}`;
  return page === undefined ? path : `${path}/pages/${page}`;
}

/** Returns the id of a field's row, to which warnings link. */
export function answerId(step: string, path: string): string {
  return path === '' ? `answer-${step}` : `answer-${step}-${path.replaceAll('.', '-')}`;
}
