import type { AppearanceDetails, ShownAppearance } from '@countersign/domain/clients';
import type { Child, FC } from 'hono/jsx';
import { Timeline } from '../../parts/blocks.tsx';
import { Drawing } from '../../parts/drawing.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page-parts.tsx';
import { AppearanceContacts, AppearanceName } from '../../site/appearance-parts.tsx';
import type { Page } from '../../site/page.ts';
import { WithName } from '../../site/with-name.tsx';

/** An appearance as it would be, with the name that is shown. */
export interface PreviewedAppearance
  extends Omit<AppearanceDetails, 'displayName'>,
    Pick<ShownAppearance, 'clientId' | 'name' | 'logo'> {}

interface PreviewProps {
  readonly page: Page;
  readonly appearance: PreviewedAppearance;
}

/** Shows pages of a verification in both themes. Nothing in it can be used. */
export const AppearancePreview: FC<PreviewProps> = ({ page, appearance }) => {
  const { t } = page;
  const client = appearance.name;
  return (
    <Section id="appearance-preview" title={t('dashboard:appearance.preview')}>
      <p>{t('dashboard:appearance.previewText')}</p>
      {PREVIEWED.map((name) => {
        const { title, above, content, isInFlow } = PAGES[name];
        return (
          <>
            <h3>{t(`dashboard:appearance.pages.${name}`)}</h3>
            <div class="appearance-previews">
              {(['light', 'dark'] as const).map((theme) => (
                <figure>
                  <figcaption>{t(`dashboard:appearance.themes.${theme}`)}</figcaption>
                  <div class={`appearance-preview ${theme}`}>
                    <div class="appearance-preview-head">
                      <AppearanceName page={page} appearance={appearance} />
                      <span class="appearance-preview-link">{t('dashboard:appearance.link')}</span>
                    </div>
                    {isInFlow ? <progress value={1} max={3} aria-label={t(title, { client })} /> : null}
                    {above?.(page)}
                    <p class="appearance-preview-title">{t(title, { client })}</p>
                    {content({ page, appearance })}
                    <Encrypted page={page} client={client} />
                    <AppearanceContacts page={page} appearance={appearance} isPlain />
                    <p class="appearance-preview-foot">{t('site:footer')}</p>
                  </div>
                </figure>
              ))}
            </div>
          </>
        );
      })}
      <p>
        {t('dashboard:appearance.ofBusiness')} <q>{t('verify:state.pending.titles.kyb', { client })}</q>
      </p>
    </Section>
  );
};

/** The previewed pages, in the order of a verification. */
const PREVIEWED = ['start', 'form', 'upload', 'done'] as const;

interface PreviewedPage {
  readonly title:
    | 'verify:state.pending.titles.kyc'
    | 'verify:pages.birth.title'
    | 'capture:kind.document_front.title'
    | 'verify:state.submitted.title';
  /** Shown above the title. */
  readonly above?: (page: Page) => Child;
  readonly content: (props: PreviewProps) => Child;
  /** Whether it shows how far the subject is. */
  readonly isInFlow: boolean;
}

const PAGES: Readonly<Record<(typeof PREVIEWED)[number], PreviewedPage>> = {
  start: {
    title: 'verify:state.pending.titles.kyc',
    isInFlow: false,
    content: ({ page: { t } }) => (
      <>
        <p>{t('verify:state.pending.kyc')}</p>
        <Button label={t('verify:start')} />
      </>
    ),
  },
  form: {
    title: 'verify:pages.birth.title',
    isInFlow: true,
    content: ({ page }) => (
      <>
        <p>
          <strong>{page.t('site:date.year')}</strong>
          <span class="appearance-preview-field" />
        </p>
        <Button label={page.t('site:continue')} />
      </>
    ),
  },
  upload: {
    title: 'capture:kind.document_front.title',
    isInFlow: true,
    content: ({ page }) => (
      <>
        <Drawing page={page} name="front" />
        <p>{page.t('capture:kind.document_front.advice')}</p>
        <div class="appearance-preview-drop">
          <Icon page={page} name="upload" />
          <div>
            <strong>{page.t('capture:upload.choose')}</strong>
            <div class="hint">{page.t('capture:upload.formatsPicture')}</div>
          </div>
        </div>
        <Button label={page.t('capture:upload.send')} />
      </>
    ),
  },
  done: {
    title: 'verify:state.submitted.title',
    isInFlow: false,
    above: (page) => <Drawing page={page} name="done" />,
    content: ({ page, page: { t }, appearance: { name: client } }) => (
      <>
        <p>{t('verify:state.submitted.text')}</p>
        <Timeline
          page={page}
          items={[
            { icon: 'check', title: t('verify:state.submitted.received') },
            { icon: 'eye', title: t('verify:state.submitted.checking') },
            {
              icon: 'mail',
              title: t('verify:state.submitted.result'),
              text: t('verify:state.submitted.resultText', { client }),
            },
          ]}
        />
      </>
    ),
  },
};

const Button: FC<{ label: string }> = ({ label }) => (
  <p>
    <span class="appearance-preview-button">{label}</span>
  </p>
);

const Encrypted: FC<{ page: Page; client: string }> = ({ page, client }) => (
  <p class="appearance-preview-foot">
    <Icon page={page} name="lock" /> <WithName t={page.t} text="site:encrypted" name="client" value={client} />
  </p>
);
