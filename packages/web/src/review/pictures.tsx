import { type EvidenceFile, namedFiles } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { sizeInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { filePath } from './paths.ts';
import type { ReviewView } from './review-view.ts';

const SIDE_BY_SIDE = ['document_front', 'document_back', 'selfie'] as const;

/** Shows the document and the face side by side, then other files, then replaced files. */
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
      <h2 id="pictures-title">{t('review:case.pictures')}</h2>
      {pictures.length === 0 ? (
        <p class="quiet">{t('review:case.noPictures')}</p>
      ) : (
        <>
          <div class="pictures">
            {pictures.map((file) => (
              <Picture file={file} verificationId={verification.id} page={page} />
            ))}
          </div>
          <p class="quiet picture-hint">{t('review:picture.hint')}</p>
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
  ['zoomIn', '+'],
  ['zoomOut', '−'],
  ['rotate', '↻'],
  ['reset', '0'],
] as const;

const Picture: FC<FileProps> = ({ file, verificationId, page: { t, href } }) => {
  const what = t(`wording:kind.${file.kind}`);
  const address = href(filePath(verificationId, file.id));
  return (
    <figure class="picture" data-picture>
      <figcaption>
        {what} <Flags file={file} t={t} />
      </figcaption>
      <div class="picture-frame" data-frame>
        <a class="picture-sheet" href={address} target="_blank" rel="noopener" data-sheet>
          <img src={address} alt={`${what}. ${t('review:picture.open')}`} />
        </a>
      </div>
      <fieldset class="picture-controls" aria-label={t('review:picture.controls', { what })} data-controls hidden>
        {CONTROLS.map(([action, sign]) => (
          <button type="button" class="secondary" data-do={action} title={t(`review:picture.${action}`)}>
            <span aria-hidden="true">{sign}</span>
            <span class="visually-hidden">{t(`review:picture.${action}`)}</span>
          </button>
        ))}
      </fieldset>
    </figure>
  );
};

const FileList: FC<Omit<FileProps, 'file'> & { files: readonly EvidenceFile[] }> = ({ files, ...props }) => (
  <ul class="files">
    {files.map((file) => (
      <li>
        <FileLink file={file} {...props} />
      </li>
    ))}
  </ul>
);

/** Shows a file: a picture opens in a new tab, a PDF is downloaded. */
export const FileLink: FC<FileProps> = ({ file, verificationId, page: { t, href, language } }) => {
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
          {`${what}: ${t('wording:value.download')}`}
        </a>
      )}{' '}
      <span class="quiet">{size}</span> <Flags file={file} t={t} />
    </>
  );
};

const Flags: FC<{ file: EvidenceFile; t: Page['t'] }> = ({ file: { warnings }, t }) => (
  <>
    {warnings.map((warning) => (
      <span class="badge flag">{t(`review:flag.${warning}`)}</span>
    ))}
  </>
);

function isPicture({ contentType }: EvidenceFile): boolean {
  return contentType !== 'application/pdf';
}
