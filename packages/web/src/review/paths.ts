import type { FilePartName } from '@countersign/domain/evidence';
import type { CopyPage } from '../actions/exports/export-section.tsx';
import type { RetentionPage } from '../actions/retention/retention-section.tsx';
import { partPath } from '../site/file-answer.ts';

/** Paths of the console below the service's address. */
export const QUEUE_PATH = '/review';
export const KEYS_PATH = '/review/keys';
/** Finds cases: the page of the search and its form. */
export const SEARCH_PATH = '/review/search';
/** Claims the next case: the form “Start reviewing”. */
export const NEXT_PATH = '/review/next';

/** The last part of the path of the page that hands a case over. */
export const HAND_OVER = 'hand-over';

export function reviewPath(verificationId: string): string {
  return `/review/${encodeURIComponent(verificationId)}`;
}

export function actionPath(verificationId: string, action: string): string {
  return `${reviewPath(verificationId)}/${action}`;
}

export function retentionPath(verificationId: string, page?: RetentionPage | CopyPage): string {
  return page === undefined ? reviewPath(verificationId) : actionPath(verificationId, page);
}

/** Returns the path of a file, of one of its drawn pages, or of its thumbnail. */
export function filePath(verificationId: string, fileId: string, part?: FilePartName): string {
  return partPath(`${reviewPath(verificationId)}/files/${encodeURIComponent(fileId)}`, part);
}

/** Returns the id of a picture's frame, by its place in the film strip from 1. */
export function pictureId(number: number): string {
  return `picture-${number}`;
}

/** Returns the id of a field's row, to which warnings link. */
export function answerId(step: string, path: string): string {
  return path === '' ? `answer-${step}` : `answer-${step}-${path.replaceAll('.', '-')}`;
}
