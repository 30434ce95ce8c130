import { acceptsPdf, type EvidenceKind, UPLOAD_MAX_BYTES } from '@countersign/domain/evidence';
import type { FC } from 'hono/jsx';
import { ErrorSummary, HintAndError } from '../../forms/field-parts.tsx';
import { describedBy, fieldId, formState } from '../../forms/form-state.ts';
import { Drawing, type DrawingName } from '../../parts/drawing.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { Translate } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import { PhoneOffer } from '../phone-offer.tsx';
import { CameraTemplate, type Mask } from './camera-template.tsx';
import { FaceHelp } from './face-help.tsx';
import { PictureAdvice } from './picture-advice.tsx';
import { PICTURE_TYPES, pictureFormats } from './picture-formats.ts';

export interface UploadFormProps {
  readonly page: Page;
  readonly evidence: EvidenceKind;
  /** Shows what to photograph. */
  readonly drawing: DrawingName;
  /** Whether the document may have the lines of a machine-readable zone on the side to photograph. */
  readonly hasLines: boolean;
  /** Address that the form posts to. */
  readonly action: string;
  /** Why the last file was refused. */
  readonly errors: ReadonlyMap<string, string>;
  /** Address of the page that continues on a phone; null without one. */
  readonly phone: string | null;
  /** Where the client helps subjects; null if it says none. */
  readonly supportAddress: string | null;
  /** Whether an earlier file may stay. */
  readonly canKeep: boolean;
  /** Whether the subject may continue without a file. */
  readonly canSkip: boolean;
}

/** Parameter of the page that shows the last file although a reviewer asks to replace it. */
export const EARLIER = 'earlier';

/** Name of the file input. */
export const UPLOAD_FIELD = 'file';

/** Asks for one file with a plain form. `capture.js` adds the camera and the progress bar. */
export const UploadForm: FC<UploadFormProps> = (props) => {
  const { page, evidence, drawing, hasLines, action, phone, errors, supportAddress, canKeep, canSkip } = props;
  const { t } = page;
  const pdf = acceptsPdf(evidence);
  const form = formState(t, undefined, errors);
  const hint = t(pdf ? 'capture:upload.formatsPdf' : 'capture:upload.formatsPicture', {
    formats: pictureFormats(page),
  });
  return (
    <>
      {pdf ? (
        <Drawing page={page} name={drawing} />
      ) : (
        <PictureAdvice page={page} evidence={evidence} drawing={drawing} />
      )}
      <p>
        {t(`capture:kind.${evidence}.advice`)}
        {canSkip ? ` ${t('capture:upload.skipHint')}` : null}
      </p>
      <form
        method="post"
        action={action}
        enctype="multipart/form-data"
        class="upload"
        data-upload
        data-max-bytes={String(UPLOAD_MAX_BYTES)}
        data-sending={t('capture:upload.sending')}
        data-checking={t('capture:upload.checking')}
        data-not-sent={t('capture:upload.notSent')}
        data-dark={t('capture:warning.dark')}
        data-blur={t('capture:warning.blur')}
        data-glare={t('capture:warning.glare')}
        data-error-prefix={`${t('site:error.prefix')} `}
      >
        <TooLargeTemplate t={t} />
        {pdf ? null : <CameraTemplate {...{ page, evidence, hasLines, phone }} mask={maskOf(evidence, drawing)} />}
        <div class={errors.size > 0 ? 'field drop has-error' : 'field drop'}>
          <div class="drop-words">
            <label for={fieldId(UPLOAD_FIELD)}>
              <span class="visually-hidden">{t(`capture:kind.${evidence}.label`)}: </span>
              <span class="drop-take">
                <Icon page={page} name="camera" />
                {t(pdf ? 'capture:upload.takeOrChoose' : 'capture:upload.take')}
              </span>
              <span class="drop-choose">
                <Icon page={page} name="upload" />
                {t('capture:upload.choose')}
              </span>
            </label>
            <HintAndError form={formState(t)} name={UPLOAD_FIELD} hint={hint} />
          </div>
          <HintAndError form={form} name={UPLOAD_FIELD} hint={undefined} />
          <input
            type="file"
            id={fieldId(UPLOAD_FIELD)}
            name={UPLOAD_FIELD}
            accept={acceptOf(pdf)}
            capture={pdf ? undefined : captureOf(evidence)}
            aria-describedby={describedBy(form, UPLOAD_FIELD, hint)}
            aria-invalid={errors.size > 0 ? 'true' : undefined}
          />
        </div>
        <progress hidden aria-label={t('capture:upload.progress')} />
        <p role="status" data-upload-status />
        <div class="next">
          <button type="submit">{t('capture:upload.send')}</button>
        </div>
      </form>
      <PhoneOffer address={phone} label={t('capture:phone.offer')} hint={t('capture:phone.offerHint')} />
      {evidence === 'selfie' ? <FaceHelp page={page} supportAddress={supportAddress} /> : null}
      {canKeep ? (
        <p>
          <a href={`${action}${action.includes('?') ? '&' : '?'}${EARLIER}`}>{t('capture:upload.keep')}</a>
        </p>
      ) : null}
      {canSkip ? <Skip page={page} action={action} /> : null}
    </>
  );
};

/** What `capture-upload.js` adds to the page if the file is too large, before it is sent. */
const TooLargeTemplate: FC<{ t: Translate }> = ({ t }) => {
  const errors = new Map([[UPLOAD_FIELD, t('capture:refused.FILE_TOO_LARGE')]]);
  return (
    <template data-too-large>
      <ErrorSummary title={t('site:error.summary')} errors={errors} />
      <HintAndError form={formState(t, undefined, errors)} name={UPLOAD_FIELD} />
    </template>
  );
};

function acceptOf(pdf: boolean): string {
  return pdf ? `${PICTURE_TYPES},application/pdf` : PICTURE_TYPES;
}

/** Returns which camera a phone opens. */
function captureOf(evidence: EvidenceKind): 'user' | 'environment' {
  return evidence === 'selfie' ? 'user' : 'environment';
}

function maskOf(evidence: EvidenceKind, drawing: DrawingName): Mask {
  if (evidence === 'selfie') return 'face';
  return drawing === 'passport' ? 'passport' : 'card';
}

/** Continues without an optional file. */
const Skip: FC<{ page: Page; action: string }> = ({ page: { t }, action }) => (
  <form method="post" action={action} class="upload-skip">
    <button type="submit" class="secondary" name="fileId" value="">
      {t('capture:upload.skip')}
    </button>
  </form>
);
