import type { AppearanceDetails, ShownAppearance } from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import { Section } from '../../parts/page-parts.tsx';
import { AppearanceContacts, AppearanceName } from '../../site/appearance-parts.tsx';
import type { Page } from '../../site/page.ts';

/** An appearance as it would be, with the name that is shown. */
export interface PreviewedAppearance
  extends Omit<AppearanceDetails, 'displayName'>,
    Pick<ShownAppearance, 'clientId' | 'name' | 'logo'> {}

/** Shows the first page of a verification in both themes. Nothing in it can be used. */
export const AppearancePreview: FC<{ page: Page; appearance: PreviewedAppearance }> = ({ page, appearance }) => {
  const { t } = page;
  const client = appearance.name;
  return (
    <Section id="appearance-preview" title={t('dashboard:appearance.preview')}>
      <p>{t('dashboard:appearance.previewText')}</p>
      <div class="appearance-previews">
        {(['light', 'dark'] as const).map((theme) => (
          <figure>
            <figcaption>{t(`dashboard:appearance.themes.${theme}`)}</figcaption>
            <div class={`appearance-preview ${theme}`}>
              <div class="appearance-preview-head">
                <AppearanceName page={page} appearance={appearance} />
                <span class="appearance-preview-link">{t('dashboard:appearance.link')}</span>
              </div>
              <p class="appearance-preview-title">{t('verify:state.pending.titles.kyc', { client })}</p>
              <p>{t('verify:state.pending.kyc')}</p>
              <p>
                <span class="appearance-preview-button">{t('verify:start')}</span>
              </p>
              <AppearanceContacts page={page} appearance={appearance} isPlain />
              <p class="appearance-preview-foot">{t('site:footer')}</p>
            </div>
          </figure>
        ))}
      </div>
      <p>
        {t('dashboard:appearance.ofBusiness')} <q>{t('verify:state.pending.titles.kyb', { client })}</q>
      </p>
    </Section>
  );
};
