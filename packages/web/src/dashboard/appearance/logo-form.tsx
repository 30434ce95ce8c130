import { changeLogo, removeLogo } from '@countersign/domain/actions';
import type { LogoFacts } from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import { ACTION_FORM_ID } from '../../actions/action-page.tsx';
import { actionTexts } from '../../actions/action-texts.ts';
import { HintAndError } from '../../forms/field-parts.tsx';
import { describedBy, fieldId, formState } from '../../forms/form-state.ts';
import type { FormValues } from '../../forms/form-values.ts';
import { Card } from '../../parts/blocks.tsx';
import { CancelButton } from '../../parts/page-parts.tsx';
import { AppearanceName } from '../../site/appearance-parts.tsx';
import type { Page } from '../../site/page.ts';
import { APPEARANCE_PATH, LOGO_PATH, REMOVE_LOGO_PATH } from '../paths.ts';
import { PREVIEW } from './details-form.ts';

/** Name of the file input. */
export const LOGO_FIELD = 'file';

/** Sends a file beside the fields of the form. */
const MULTIPART = 'multipart/form-data';

/** The form that uploads a logo, to the page that shows why one is refused. It passes on details that are not saved yet. */
export const LogoForm: FC<{ page: Page; errors: ReadonlyMap<string, string>; details: FormValues | null }> = ({
  page,
  errors,
  details,
}) => {
  const { t, href } = page;
  const texts = actionTexts(t, changeLogo);
  return (
    <form method="post" action={href(LOGO_PATH)} enctype={MULTIPART} class="narrow-form" novalidate>
      {details?.entries.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {texts.explain === undefined ? null : <p>{texts.explain}</p>}
      <LogoField page={page} errors={errors} />
      <div class="buttons">
        <button type="submit">{texts.submit}</button>
        {details === null ? (
          <CancelButton path={APPEARANCE_PATH} page={page} />
        ) : (
          <button
            type="submit"
            class="secondary"
            name={PREVIEW}
            value="true"
            formaction={href(APPEARANCE_PATH)}
            formenctype="application/x-www-form-urlencoded"
          >
            {t('dashboard:settings.appearance')}
          </button>
        )}
      </div>
    </form>
  );
};

/** @param form the `id` of the form that it belongs to, if that stands elsewhere */
const LogoField: FC<{ page: Page; errors?: ReadonlyMap<string, string>; form?: string }> = (props) => {
  const { page, errors = new Map<string, string>(), form: formId } = props;
  const { t } = page;
  const form = formState(t, undefined, errors);
  const hint = t('dashboard:appearance.logoHint');
  return (
    <div class={errors.size > 0 ? 'field has-error' : 'field'}>
      <label for={fieldId(LOGO_FIELD)}>{t('dashboard:appearance.logo')}</label>
      <HintAndError form={form} name={LOGO_FIELD} hint={hint} />
      <input
        type="file"
        id={fieldId(LOGO_FIELD)}
        name={LOGO_FIELD}
        form={formId}
        accept="image/jpeg,image/png,image/webp"
        aria-describedby={describedBy(form, LOGO_FIELD, hint)}
        aria-invalid={errors.size > 0 ? 'true' : undefined}
      />
    </div>
  );
};

/**
 * The logo beside the other details: what it is now, and buttons that change and remove it. They send the form of the
 * details along, so that nothing of it is lost.
 */
export const LogoCard: FC<{ page: Page; client: { id: string; name: string }; logo: LogoFacts | null }> = (
  props,
) => {
  const { page, client, logo } = props;
  const { t, href } = page;
  const texts = actionTexts(t, changeLogo);
  return (
    <Card id="logo" title={t('dashboard:appearance.logo')} class="narrow-form">
      {logo === null ? null : (
        <div class="buttons">
          <AppearanceName page={page} appearance={{ clientId: client.id, name: client.name, logo }} />
          <button type="submit" class="danger" form={ACTION_FORM_ID} formaction={href(REMOVE_LOGO_PATH)}>
            {actionTexts(t, removeLogo).title}
          </button>
        </div>
      )}
      {texts.explain === undefined ? null : <p>{texts.explain}</p>}
      <LogoField page={page} form={ACTION_FORM_ID} />
      <div class="buttons">
        <button
          type="submit"
          class="secondary"
          form={ACTION_FORM_ID}
          formaction={href(LOGO_PATH)}
          formenctype={MULTIPART}
        >
          {texts.submit}
        </button>
      </div>
    </Card>
  );
};
