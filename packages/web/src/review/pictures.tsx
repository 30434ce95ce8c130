import { type EvidenceFile, namedFiles } from '@countersign/domain/evidence';
import type { FC } from 'hono/jsx';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/blocks.tsx';
import { Icon } from '../parts/icon.tsx';
import { sizeInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { filePath } from './paths.ts';
import { Portrait } from './portrait.tsx';
import type { ReviewView } from './review-view.ts';

const FACE = 'selfie';

const SIDE_BY_SIDE = ['document_front', 'document_back', FACE] as const;

/** Shows the document, its portrait and the face side by side, then other files, then replaced files. */
export const Pictures: FC<{ view: ReviewView }> = ({ view: { page, reviewed } }) => {
  const { t } = page;
  const { verification } = reviewed;
  const standing = namedFiles(verification);
  const current = verification.files.filter(({ id }) => standing.has(id));
  const pictures = SIDE_BY_SIDE.flatMap((kind) => current.filter((file) => file.kind === kind && isPicture(file)));
  const others = current.filter((file) => !pictures.includes(file));
  const earlier = verification.files.filter(({ id }) => !standing.has(id));
  return (
    <section id="pictures" aria-labelledby="pictures-title" tabindex={-1} data-key="p">
      <h2 id="pictures-title" class="visually-hidden">
        {t('review:case.pictures')}
      </h2>
      {pictures.length === 0 ? (
        <Empty page={page} drawing="front" title={t('review:case.noPictures')} />
      ) : (
        <>
          <div class="pictures">
            {pictures.map((file) => (
              <>
                {file.kind === FACE ? (
                  <Portrait
                    files={pictures}
                    readings={reviewed.readings}
                    verificationId={verification.id}
                    page={page}
                  />
                ) : null}
                <Picture file={file} verificationId={verification.id} page={page} />
              </>
            ))}
          </div>
          <p class="hint not-printed">{t('review:picture.hint')}</p>
        </>
      )}
      {others.length === 0 ? null : (
        <>
          <h3>{t('review:case.otherFiles')}</h3>
          <FileList files={others} verificationId={verification.id} page={page} />
        </>
      )}
      {earlier.length === 0 ? null : (
        <details>
          <summary>{`${t('review:case.earlierFiles')} (${earlier.length})`}</summary>
          <FileList files={earlier} verificationId={verification.id} page={page} />
        </details>
      )}
    </section>
  );
};

interface FileProps {
  readonly file: EvidenceFile;
  readonly verificationId: string;
  readonly page: Page;
}

const CONTROLS = [
  ['zoomIn', 'zoom-in'],
  ['zoomOut', 'zoom-out'],
  ['rotate', 'rotate-cw'],
  ['reset', 'maximize'],
] as const;

/** Shows a picture, or a drawn page of a PDF, in a frame in which it can be zoomed and rotated. */
const Picture: FC<FileProps & { number?: number }> = ({ file, verificationId, page, number }) => {
  const { t, href } = page;
  const kind = t(`wording:kind.${file.kind}`);
  const what =
    number === undefined ? kind : t('review:picture.page', { what: kind, number, total: file.pages ?? 0 });
  const address = href(filePath(verificationId, file.id, number));
  return (
    <figure class="picture" data-picture>
      <figcaption>
        {what} {number === undefined ? <Flags file={file} page={page} /> : null}
      </figcaption>
      <fieldset
        class="picture-controls not-printed"
        aria-label={t('review:picture.controls', { what })}
        data-controls
        hidden
      >
        {CONTROLS.map(([action, icon]) => (
          <button type="button" class="quiet icon-button" data-do={action} title={t(`review:picture.${action}`)}>
            <Icon page={page} name={icon} />
            <span class="visually-hidden">{t(`review:picture.${action}`)}</span>
          </button>
        ))}
      </fieldset>
      <div class="picture-frame" data-frame>
        <a class="picture-sheet" href={address} target="_blank" rel="noopener" data-sheet>
          <img
            src={address}
            alt={`${what}. ${t('review:picture.open')}`}
            loading={number === undefined ? undefined : 'lazy'}
          />
        </a>
      </div>
    </figure>
  );
};

interface FileListProps extends Omit<FileProps, 'file'> {
  readonly files: readonly EvidenceFile[];
}

/** Shows links to files, and below each PDF its drawn pages. */
const FileList: FC<FileListProps> = ({ files, ...props }) => (
  <ul class="files">
    {files.map((file) => (
      <li>
        <FileThumbnail file={file} {...props} />
        <FileLink file={file} {...props} />
        <Pages file={file} {...props} />
      </li>
    ))}
  </ul>
);

/** Shows a small picture of a file that is a picture. The pages of a PDF are shown whole. */
const FileThumbnail: FC<FileProps> = ({ file, verificationId, page: { href } }) =>
  isPicture(file) ? (
    <img class="file-thumbnail" src={href(filePath(verificationId, file.id, 'thumbnail'))} alt="" loading="lazy" />
  ) : null;

const Pages: FC<FileProps> = (props) => {
  const { pages = 0 } = props.file;
  if (pages === 0) return null;
  return (
    <div class="pictures">
      {Array.from({ length: pages }, (_, index) => (
        <Picture {...props} number={index + 1} />
      ))}
    </div>
  );
};

/** Shows a file: a picture opens in a new tab, the original of a PDF is downloaded. */
export const FileLink: FC<FileProps> = ({ file, verificationId, page }) => {
  const { t, href, language } = page;
  const address = href(filePath(verificationId, file.id));
  const what = t(`wording:kind.${file.kind}`);
  const size = sizeInWords(file.size, language);
  return (
    <>
      {isPicture(file) ? (
        <a href={address} target="_blank" rel="noopener">
          {what}
        </a>
      ) : (
        <a href={address} download>
          {`${what}: ${t('review:picture.original')}`}
        </a>
      )}{' '}
      <span class="quiet">
        {size}
        {isPicture(file) ? null : `. ${t('review:picture.originalWarning')}`}
      </span>{' '}
      <Flags file={file} page={page} />
    </>
  );
};

const Flags: FC<{ file: EvidenceFile; page: Page }> = ({ file: { warnings }, page }) => (
  <>
    {warnings.map((warning) => (
      <Badge tone="warn" page={page}>
        {page.t(`review:flag.${warning}`)}
      </Badge>
    ))}
  </>
);

function isPicture({ contentType }: EvidenceFile): boolean {
  return contentType !== 'application/pdf';
}
