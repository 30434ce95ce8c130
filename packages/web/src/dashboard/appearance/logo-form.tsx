import { changeLogo, removeLogo } from '@countersign/domain/actions';
import type { LogoFacts } from '@countersign/domain/clients';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { actionTexts } from '../../actions/action-texts.ts';
import { HintAndError } from '../../forms/field-parts.tsx';
import { describedBy, fieldId, formState } from '../../forms/form-state.ts';
import { Card } from '../../parts/blocks.tsx';
import { AppearanceName } from '../../site/appearance-parts.tsx';
import type { Page } from '../../site/page.ts';
import { LOGO_PATH, REMOVE_LOGO_PATH } from '../paths.ts';

/** Name of the file input. */
export const LOGO_FIELD = 'file';

/** The form that uploads a logo, to the page that shows why one is refused. */
export const LogoForm: FC<PropsWithChildren<{ page: Page; errors?: ReadonlyMap<string, string> }>> = (props) => {
  const { page, errors = new Map<string, string>(), children } = props;
  const { t, href } = page;
  const texts = actionTexts(t, changeLogo);
  const form = formState(t, undefined, errors);
  const hint = t('dashboard:appearance.logoHint');
  return (
    <form method="post" action={href(LOGO_PATH)} enctype="multipart/form-data" class="narrow-form" novalidate>
      {texts.explain === undefined ? null : <p>{texts.explain}</p>}
      <div class={errors.size > 0 ? 'field has-error' : 'field'}>
        <label for={fieldId(LOGO_FIELD)}>{t('dashboard:appearance.logo')}</label>
        <HintAndError form={form} name={LOGO_FIELD} hint={hint} />
        <input
          type="file"
          id={fieldId(LOGO_FIELD)}
          name={LOGO_FIELD}
          accept="image/jpeg,image/png,image/webp"
          aria-describedby={describedBy(form, LOGO_FIELD, hint)}
          aria-invalid={errors.size > 0 ? 'true' : undefined}
        />
      </div>
      <div class="buttons">
        <button type="submit">{texts.submit}</button>
        {children}
      </div>
    </form>
  );
};

/** The logo beside the other details: what it is now, a form for another, and a button that removes it. */
export const LogoCard: FC<{ page: Page; client: { id: string; name: string }; logo: LogoFacts | null }> = (
  props,
) => {
  const { page, client, logo } = props;
  const { t, href } = page;
  return (
    <Card id="logo" title={t('dashboard:appearance.logo')} class="narrow-form">
      {logo === null ? null : (
        <div class="buttons">
          <AppearanceName page={page} appearance={{ clientId: client.id, name: client.name, logo }} />
          <form method="post" action={href(REMOVE_LOGO_PATH)}>
            <button type="submit" class="danger">
              {actionTexts(t, removeLogo).title}
            </button>
          </form>
        </div>
      )}
      <LogoForm page={page} />
    </Card>
  );
};
