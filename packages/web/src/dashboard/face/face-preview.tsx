import type { FaceDetails, ShownFace } from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import { FaceContacts, FaceName } from '../../site/face-parts.tsx';
import type { Page } from '../../site/page.ts';
import { Section } from '../../staff/page-parts.tsx';

/** A face as it would be, with the name that is shown. */
export interface PreviewedFace
  extends Omit<FaceDetails, 'displayName'>,
    Pick<ShownFace, 'clientId' | 'name' | 'logo'> {}

/** Shows the first page of a verification in both themes. Nothing in it can be used. */
export const FacePreview: FC<{ page: Page; face: PreviewedFace }> = ({ page, face }) => {
  const { t } = page;
  const client = face.name;
  return (
    <Section id="face-preview" title={t('dashboard:face.preview')}>
      <p>{t('dashboard:face.previewText')}</p>
      <div class="face-previews">
        {(['light', 'dark'] as const).map((theme) => (
          <figure>
            <figcaption>{t(`dashboard:face.themes.${theme}`)}</figcaption>
            <div class={`face-preview ${theme}`}>
              <div class="face-preview-head">
                <FaceName page={page} face={face} />
                <span class="face-preview-link">{t('dashboard:face.link')}</span>
              </div>
              <p class="face-preview-title">{t('verify:state.pending.titles.kyc', { client })}</p>
              <p>{t('verify:state.pending.kyc')}</p>
              <p>
                <span class="face-preview-button">{t('verify:start')}</span>
              </p>
              <FaceContacts page={page} face={face} isPlain />
              <p class="face-preview-foot">{t('site:footer')}</p>
            </div>
          </figure>
        ))}
      </div>
      <p>
        {t('dashboard:face.ofBusiness')} <q>{t('verify:state.pending.titles.kyb', { client })}</q>
      </p>
    </Section>
  );
};
