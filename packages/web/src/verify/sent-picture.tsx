import type { JsonObject, Verification } from '@countersign/domain';
import { isDrawn } from '@countersign/domain/evidence';
import { type PlannedPart, valueAt } from '@countersign/domain/flows';
import type { Child } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import { verifyPath } from './navigation.ts';

/** What a picture of an upload page is drawn from. */
export interface SentPictureProps {
  readonly page: Page;
  readonly verification: Verification;
  /** The page that takes the file. */
  readonly part: PlannedPart;
  /** The answers of its step, which name the file. */
  readonly answers: JsonObject | undefined;
}

/** Returns a small picture of the file that answers name; null for a page without a file, and for a file that is not drawn. */
export function sentPicture({ page, verification, part: { upload }, answers }: SentPictureProps): Child | null {
  if (upload === null) return null;
  const fileId = valueAt(answers, upload.path);
  const file = verification.files.find(({ id }) => id === fileId);
  if (file === undefined || !isDrawn(file)) return null;
  const source = page.href(verifyPath(verification, `files/${file.id}/thumbnail`));
  return <img class="answer-picture" src={source} alt={page.t(`capture:kind.${upload.evidence}.alt`)} />;
}
