import type { EvidenceFile } from '@countersign/domain/evidence';
import type { FC } from 'hono/jsx';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/blocks.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { sizeInWords } from '../site/formats.ts';
import type { MessageKey } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { Key } from './keys-page.tsx';
import { filePath, pictureId } from './paths.ts';
import { Portrait } from './portrait.tsx';
import type { ReviewView } from './review-view.ts';
import { earlierFiles, isPicture, type Shot, shotsOf } from './shots.ts';

/** The fragment of the view with the portrait of the document beside the face. */
const COMPARED = 'compared';

/** Shows one picture large, and all of them in a film strip. The address names the picture in view, so it works without a script. */
export const Pictures: FC<{ view: ReviewView }> = ({ view: { page, reviewed } }) => {
  const { t } = page;
  const { verification, readings } = reviewed;
  const { id } = verification;
  const shots = shotsOf(verification);
  const pictures = shots.map(({ file }) => file).filter(isPicture);
  const [document] = pictures.filter(({ kind }) => kind.startsWith('document_'));
  const face = pictures.find(({ kind }) => kind === 'selfie');
  return (
    <section id="pictures" aria-labelledby="pictures-title" tabindex={-1} data-key="p">
      <h2 id="pictures-title" class="visually-hidden">
        {t('review:case.pictures')}
      </h2>
      {shots.length === 0 ? (
        <Empty page={page} drawing="front" title={t('review:case.noPictures')} />
      ) : (
        <>
          <div class="views">
            {shots.map((shot) => (
              <ShotView shot={shot} verificationId={id} page={page} />
            ))}
            {document === undefined || face === undefined ? null : (
              <div class="view compared" id={COMPARED} tabindex={-1}>
                <Portrait files={pictures} readings={readings} verificationId={id} page={page}>
                  <Still file={document} verificationId={id} page={page} />
                </Portrait>
                <Still file={face} verificationId={id} page={page} />
              </div>
            )}
          </div>
          <nav class="film not-printed" aria-label={t('review:picture.film')}>
            <ol>
              {shots.map((shot) => (
                <li>
                  <a
                    href={`#${pictureId(shot.number)}`}
                    data-key={shot.number < 10 ? shot.number : undefined}
                    data-view
                  >
                    <Thumbnail shot={shot} verificationId={id} page={page} />
                    <span>
                      <Key name={String(shot.number)} /> {shotName(shot, page)}
                    </span>
                  </a>
                </li>
              ))}
              {document === undefined || face === undefined ? null : (
                <li>
                  <a href={`#${COMPARED}`} data-key="s" data-view>
                    <Icon page={page} name="users" />
                    <span>
                      <Key name="s" /> {t('review:picture.compare')}
                    </span>
                  </a>
                </li>
              )}
            </ol>
          </nav>
        </>
      )}
    </section>
  );
};

/** Lists replaced and unused files, folded. Nothing without one. */
export const EarlierFiles: FC<{ view: ReviewView }> = ({ view: { page, reviewed } }) => {
  const { verification } = reviewed;
  const { id: verificationId } = verification;
  const files = earlierFiles(verification);
  return files.length === 0 ? null : (
    <details class="case-fold">
      <summary>{`${page.t('review:case.earlierFiles')} (${files.length})`}</summary>
      <ul class="files">
        {files.map((file) => (
          <li>
            {isPicture(file) ? (
              <img
                class="file-thumbnail"
                src={page.href(filePath(verificationId, file.id, 'thumbnail'))}
                alt=""
                loading="lazy"
              />
            ) : null}
            <FileLink file={file} verificationId={verificationId} page={page} />
            {Array.from({ length: file.pages ?? 0 }, (_, index) => (
              <Still file={file} number={index + 1} verificationId={verificationId} page={page} />
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
};

interface FileProps {
  readonly file: EvidenceFile;
  readonly verificationId: string;
  readonly page: Page;
}

interface ShotProps extends Omit<FileProps, 'file'> {
  readonly shot: Shot;
}

/** Names a picture by its kind, and a drawn page of a PDF by its number too. */
export function shotName(
  { file, page: number }: { readonly file: EvidenceFile; readonly page?: number | undefined },
  { t }: Page,
): string {
  const what = t(`wording:kind.${file.kind}`);
  return number === undefined ? what : t('review:picture.page', { what, number, total: file.pages ?? 0 });
}

const CONTROLS: readonly (readonly [action: string, icon: IconName, label: MessageKey, key: string])[] = [
  ['zoomIn', 'zoom-in', 'review:picture.zoomIn', '+'],
  ['zoomOut', 'zoom-out', 'review:picture.zoomOut', '−'],
  ['rotate', 'rotate-cw', 'review:picture.rotate', 'r'],
  ['brighten', 'sun', 'review:picture.brighten', 'b'],
  ['reset', 'undo-2', 'review:picture.reset', '0'],
  ['fill', 'maximize', 'review:picture.fill', 'f'],
];

/** Shows a picture in a frame in which it can be zoomed, moved and turned; of a PDF without drawn pages, the link to the original. */
const ShotView: FC<ShotProps> = ({ shot, verificationId, page }) => {
  const { t } = page;
  const { file, number, page: pageNumber } = shot;
  const what = shotName(shot, page);
  const isDrawn = isPicture(file) || pageNumber !== undefined;
  return (
    <figure class="view picture" id={pictureId(number)} tabindex={-1} {...(isDrawn && { 'data-picture': true })}>
      <figcaption>
        <span>{what}</span> <Flags file={file} page={page} />
        {isPicture(file) ? null : (
          <FileLink file={file} verificationId={verificationId} page={page} hasFlags={false} />
        )}
      </figcaption>
      {isDrawn ? (
        <>
          <fieldset
            class="picture-controls not-printed"
            aria-label={t('review:picture.controls', { what })}
            data-controls
            hidden
          >
            {CONTROLS.map(([action, icon, label, key]) => (
              <button type="button" class="secondary icon-button" data-do={action} title={`${t(label)} (${key})`}>
                <Icon page={page} name={icon} />
                <span class="visually-hidden">{t(label)}</span>
              </button>
            ))}
          </fieldset>
          <Frame
            file={file}
            number={pageNumber}
            verificationId={verificationId}
            page={page}
            isFirst={number === 1}
          />
        </>
      ) : null}
    </figure>
  );
};

/** Shows a picture that is only looked at. */
const Still: FC<FileProps & { number?: number }> = (props) => (
  <figure class="picture">
    <figcaption>{shotName({ file: props.file, page: props.number }, props.page)}</figcaption>
    <Frame {...props} />
  </figure>
);

const Frame: FC<FileProps & { number?: number | undefined; isFirst?: boolean }> = (props) => {
  const { file, verificationId, page, number, isFirst = false } = props;
  const { t, href } = page;
  const address = href(filePath(verificationId, file.id, number));
  const what = shotName({ file, page: number }, page);
  return (
    <div class="picture-frame" data-frame>
      <a class="picture-sheet" href={address} target="_blank" rel="noopener" data-sheet>
        {/* The others load once they are in view: a picture that is not looked at stays sealed. */}
        <img src={address} alt={`${what}. ${t('review:picture.open')}`} loading={isFirst ? undefined : 'lazy'} />
      </a>
    </div>
  );
};

const Thumbnail: FC<ShotProps> = ({ shot: { file }, verificationId, page }) =>
  isPicture(file) ? (
    <img src={page.href(filePath(verificationId, file.id, 'thumbnail'))} alt="" loading="lazy" />
  ) : (
    <Icon page={page} name="file-text" />
  );

/** Shows a file: a picture opens in a new tab, the original of a PDF is downloaded. */
export const FileLink: FC<FileProps & { hasFlags?: boolean }> = ({
  file,
  verificationId,
  page,
  hasFlags = true,
}) => {
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
      {hasFlags ? <Flags file={file} page={page} /> : null}
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
