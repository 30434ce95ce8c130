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

export function filePath(verificationId: string, fileId: string): string {
  return `${reviewPath(verificationId)}/files/${encodeURIComponent(fileId)}`;
}

/** Returns the id of a field's row, to which warnings link. */
export function answerId(step: string, path: string): string {
  return path === '' ? `answer-${step}` : `answer-${step}-${path.replaceAll('.', '-')}`;
}
