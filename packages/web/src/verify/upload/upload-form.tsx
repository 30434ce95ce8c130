import { acceptsPdf, EVIDENCE_MAX_BYTES, type EvidenceKind } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { HintAndError } from '../../forms/field-parts.tsx';
import { describedBy, fieldId } from '../../forms/form-state.ts';
import { formState } from '../../forms/form-words.ts';
import type { Page } from '../../site/page.ts';
import { PhoneOffer } from '../handoff/phone-offer.tsx';
import { CameraTemplate } from './camera-template.tsx';

export interface UploadFormProps {
  readonly page: Page;
  readonly evidence: EvidenceKind;
  /** Where the form is sent to. */
  readonly action: string;
  /** Why the last file was not taken. */
  readonly errors: ReadonlyMap<string, string>;
  /** The page that hands over to the phone. */
  readonly phone: string;
  /** Whether there is one already that may stay. */
  readonly canKeep: boolean;
  /** Whether the subject may go on without one. */
  readonly canSkip: boolean;
}

/** The name of the field; what a sender calls it is not looked at. */
export const UPLOAD_FIELD = 'file';

/** Asks for one file. Sends it as a plain form; `capture.js` adds the camera and the progress. */
export const UploadForm: FC<UploadFormProps> = (props) => {
  const { page, evidence, action, phone, errors, canKeep, canSkip } = props;
  const { t } = page;
  const pdf = acceptsPdf(evidence);
  const form = formState(t, undefined, errors);
  const hint = t(pdf ? 'capture:upload.formatsPdf' : 'capture:upload.formatsPicture');
  return (
    <>
      <p>{t(`capture:kind.${evidence}.advice`)}</p>
      <form
        method="post"
        action={action}
        enctype="multipart/form-data"
        class="upload"
        data-upload
        data-max-bytes={String(EVIDENCE_MAX_BYTES)}
        data-sending={t('capture:upload.sending')}
        data-checking={t('capture:upload.checking')}
        data-not-sent={t('capture:upload.notSent')}
        data-too-large={t('capture:refused.FILE_TOO_LARGE')}
      >
        {pdf ? null : <CameraTemplate t={t} isSelfie={evidence === 'selfie'} />}
        <div class={errors.size > 0 ? 'field has-error' : 'field'}>
          <label for={fieldId(UPLOAD_FIELD)}>{t(`capture:kind.${evidence}.label`)}</label>
          <HintAndError form={form} name={UPLOAD_FIELD} hint={hint} />
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
        <button type="submit">{t('capture:upload.send')}</button>
      </form>
      <PhoneOffer page={page} path={phone} />
      {canKeep ? (
        <p>
          <a href={action}>{t('capture:upload.keep')}</a>
        </p>
      ) : null}
      {canSkip ? <Skip page={page} action={action} /> : null}
    </>
  );
};

const PICTURES = 'image/jpeg,image/png,image/webp';

function acceptOf(pdf: boolean): string {
  return pdf ? `${PICTURES},application/pdf` : PICTURES;
}

/** Which camera a phone opens. */
function captureOf(evidence: EvidenceKind): 'user' | 'environment' {
  return evidence === 'selfie' ? 'user' : 'environment';
}

/** Goes on without a file that nobody has to send. */
const Skip: FC<{ page: Page; action: string }> = ({ page: { t }, action }) => (
  <form method="post" action={action} class="upload-skip">
    <p class="hint">{t('capture:upload.skipHint')}</p>
    <button type="submit" class="secondary" name="fileId" value="">
      {t('capture:upload.skip')}
    </button>
  </form>
);
