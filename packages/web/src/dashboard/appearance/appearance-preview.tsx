import type { AppearanceDetails, ShownAppearance } from '@countersign/domain/clients';
import { acceptsPdf, type EvidenceKind } from '@countersign/domain/evidence';
import { currentFlow, type PlannedPart, type PlannedScreen, screensOf, stepOf } from '@countersign/domain/flows';
import type { Child, FC } from 'hono/jsx';
import { arrangedFields } from '../../forms/arranged-fields.ts';
import { formState } from '../../forms/form-state.ts';
import { Timeline } from '../../parts/blocks.tsx';
import { Drawing } from '../../parts/drawing.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Section } from '../../parts/page-parts.tsx';
import { AppearanceContacts, AppearanceName } from '../../site/appearance-parts.tsx';
import type { Page } from '../../site/page.ts';
import { WithName } from '../../site/with-name.tsx';
import { pageTitle, screenTexts } from '../../verify/flow-texts.ts';
import { CHECK, uploadOf } from '../../verify/navigation.ts';
import { pictureFormats } from '../../verify/upload/picture-formats.ts';
import { EVIDENCE_DRAWINGS } from '../../verify/upload/upload-page.tsx';

/** An appearance as it would be, with the name that is shown. */
export interface PreviewedAppearance
  extends Omit<AppearanceDetails, 'displayName'>,
    Pick<ShownAppearance, 'clientId' | 'name' | 'logo'> {}

interface PreviewProps {
  readonly page: Page;
  readonly appearance: PreviewedAppearance;
}

/** Shows the pages of a verification in both themes. Nothing in it can be used. */
export const AppearancePreview: FC<PreviewProps> = ({ page, appearance }) => {
  const { t } = page;
  const client = appearance.name;
  return (
    <Section id="appearance-preview" title={t('dashboard:appearance.preview')}>
      <p>{t('dashboard:appearance.previewText')}</p>
      {previewedPages(page, client).map(({ title, above, content, isInFlow }, index) => (
        <details class="appearance-page" open={index < OPEN_PAGES ? true : undefined}>
          <summary>{title}</summary>
          <div class="appearance-previews">
            {(['light', 'dark'] as const).map((theme) => (
              <figure>
                <figcaption>{t(`dashboard:appearance.themes.${theme}`)}</figcaption>
                <div class={`appearance-preview ${theme}`}>
                  <div class="appearance-preview-head">
                    <AppearanceName page={page} appearance={appearance} />
                    <span class="appearance-preview-link">{t('dashboard:appearance.link')}</span>
                  </div>
                  {isInFlow ? <progress value={1} max={3} aria-label={title} /> : null}
                  {above}
                  <p class="appearance-preview-title">{title}</p>
                  {content}
                  <Encrypted page={page} client={client} />
                  <AppearanceContacts page={page} appearance={appearance} isPlain />
                  <p class="appearance-preview-foot">{t('site:footer')}</p>
                </div>
              </figure>
            ))}
          </div>
        </details>
      ))}
      <p>
        {t('dashboard:appearance.ofBusiness')} <q>{t('verify:state.pending.titles.kyb', { client })}</q>
      </p>
    </Section>
  );
};

/** How many pages are not folded. */
const OPEN_PAGES = 3;

interface PreviewedPage {
  readonly title: string;
  /** Shown above the title. */
  readonly above?: Child;
  readonly content: Child;
  /** Whether it shows how far the subject is. */
  readonly isInFlow: boolean;
}

/** Lists the pages of the newest flow for people, in the order of a verification, and those beside it: on a phone, and after a request. */
function previewedPages(page: Page, client: string): readonly PreviewedPage[] {
  const { t } = page;
  const flow = currentFlow('kyc');
  const screens = screensOf(flow).map(({ slug, parts }) => ({
    slug,
    parts: parts.flatMap(({ step, page: name }) => {
      const found = stepOf(flow, step)?.pages.find((candidate) => candidate.slug === name);
      return found === undefined ? [] : [{ ...found, step, isAsked: true }];
    }),
  }));
  const [consent, ...others] = screens;
  const asked = others.flatMap((screen) => screenPages(page, screen));
  return [
    {
      title: t('verify:state.pending.titles.kyc', { client }),
      isInFlow: false,
      content: (
        <>
          <p>{t('verify:state.pending.kyc')}</p>
          <Fields page={page} parts={consent?.parts ?? []} />
          <Button label={t('verify:consent.agree')} />
        </>
      ),
    },
    ...asked,
    donePage(page, client),
    {
      title: t('verify:handOver.title'),
      isInFlow: false,
      content: (
        <>
          <p>{t('verify:handOver.text')}</p>
          <Button label={t('verify:handOver.submit')} />
        </>
      ),
    },
    {
      title: t('verify:state.action_needed.title'),
      isInFlow: false,
      content: (
        <>
          <p>{t('verify:state.action_needed.text')}</p>
          <Button label={t('verify:goOn')} />
        </>
      ),
    },
  ];
}

/** Returns the page of a screen; for a picture, also the page that asks whether it is good. */
function screenPages(page: Page, { slug, parts }: PlannedScreen): readonly PreviewedPage[] {
  const { t } = page;
  const upload = uploadOf({ slug, parts })?.upload;
  if (upload !== undefined) return uploadPages(page, upload.evidence);
  const isCheck = slug === CHECK;
  const content = (
    <>
      {isCheck ? <p>{t('verify:check.text')}</p> : <Fields page={page} parts={parts} />}
      <Button label={t(isCheck ? 'verify:check.submit' : 'site:continue')} />
    </>
  );
  return [{ title: isCheck ? t('verify:check.title') : pageTitle(t, slug), isInFlow: true, content }];
}

function uploadPages(page: Page, evidence: EvidenceKind): readonly PreviewedPage[] {
  const { t } = page;
  const name = EVIDENCE_DRAWINGS[evidence];
  const drop = (
    <>
      <Drawing page={page} name={name} />
      <p>{t(`capture:kind.${evidence}.advice`)}</p>
      <div class="appearance-preview-drop">
        <Icon page={page} name="upload" />
        <div>
          <strong>{t('capture:upload.choose')}</strong>
          <div class="hint">
            {t(acceptsPdf(evidence) ? 'capture:upload.formatsPdf' : 'capture:upload.formatsPicture', {
              formats: pictureFormats(page),
            })}
          </div>
        </div>
      </div>
      <Button label={t('capture:upload.send')} />
    </>
  );
  const taken = (
    <>
      <p>{t(evidence === 'selfie' ? 'capture:taken.hintSelfie' : 'capture:taken.hint')}</p>
      <Drawing page={page} name={name} />
      <Button label={t('capture:taken.use')} />
    </>
  );
  return [
    { title: t(`capture:kind.${evidence}.title`), isInFlow: true, content: drop },
    // Once is enough: the page of each picture is the same.
    ...(evidence === 'document_front'
      ? [{ title: t('capture:taken.title'), isInFlow: true, content: taken }]
      : []),
  ];
}

function donePage(page: Page, client: string): PreviewedPage {
  const { t } = page;
  return {
    title: t('verify:state.submitted.title'),
    isInFlow: false,
    above: <Drawing page={page} name="done" />,
    content: (
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
  };
}

/** Draws the fields that every subject answers, empty. */
const Fields: FC<{ page: Page; parts: readonly PlannedPart[] }> = ({ page: { t }, parts }) => {
  const { values } = formState(t);
  const texts = screenTexts(t, parts, 'kyc', values);
  return (
    <>
      {parts
        .flatMap(({ fields }) => arrangedFields(fields, values).shown)
        .filter(({ field }) => field.by === undefined)
        .map(({ path, field }) =>
          field.kind === 'statement' ? (
            <p>☐ {texts.label(path)}</p>
          ) : (
            <p>
              <strong>{texts.label(path)}</strong>
              <span class="appearance-preview-field" />
            </p>
          ),
        )}
    </>
  );
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
