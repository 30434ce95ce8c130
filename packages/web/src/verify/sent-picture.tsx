import type { JsonObject, Verification } from '@countersign/domain';
import { isDrawn } from '@countersign/domain/evidence';
import { type PlannedPart, valueAt } from '@countersign/domain/flows';
import type { Child, FC } from 'hono/jsx';
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
export function sentPicture(props: SentPictureProps): Child | null {
  const picture = pictureOf(props);
  return picture === null ? null : <Thumbnail {...picture} />;
}

/** Returns the same picture, which the subject can enlarge in its place to copy from: the whole one is loaded only then. */
export function pictureToCopy(props: SentPictureProps): Child | null {
  const picture = pictureOf(props);
  if (picture === null) return null;
  const { source, alt } = picture;
  return (
    <details class="picture-before">
      <summary>
        {props.page.t('capture:taken.enlarge')}
        <Thumbnail {...picture} />
      </summary>
      <img src={source} alt={alt} loading="lazy" />
    </details>
  );
}

interface Picture {
  /** Address of the file; its thumbnail is below it. */
  readonly source: string;
  readonly alt: string;
}

const Thumbnail: FC<Picture> = ({ source, alt }) => (
  <img class="answer-picture" src={`${source}/thumbnail`} alt={alt} />
);

function pictureOf({ page, verification, part: { upload }, answers }: SentPictureProps): Picture | null {
  if (upload === null) return null;
  const fileId = valueAt(answers, upload.path);
  const file = verification.files.find(({ id }) => id === fileId);
  if (file === undefined || !isDrawn(file)) return null;
  const source = page.href(verifyPath(verification, `files/${file.id}`));
  return { source, alt: page.t(`capture:kind.${upload.evidence}.alt`) };
}
