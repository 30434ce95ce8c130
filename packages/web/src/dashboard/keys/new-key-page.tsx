import { PERMISSIONS } from '@countersign/domain';
import type { Context } from 'hono';
import { CheckboxesField } from '../../forms/choice-fields.tsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import type { FormValues } from '../../forms/form-values.ts';
import { formState } from '../../forms/form-words.ts';
import { TextField } from '../../forms/text-field.tsx';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { KEYS_PATH, NEW_KEY_PATH } from '../paths.ts';
import { ExpiryField } from './expiry-field.tsx';
import { PERMISSION_WORDS } from './key-words.ts';
import { FIELD, type Problems } from './typed-key.ts';

const NAME_MAX = 100;

/** The form for a new key; after a refusal with what was typed and what is wrong with it. */
export function answerNewKeyPage(
  context: Context<StaffEnv>,
  site: Site,
  values: FormValues,
  problems?: Problems,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const form = formState(t, values, problems);
  const title = t('dashboard:newKey.title');
  const isRefused = problems !== undefined;
  return answerDashboardPage(
    context,
    site,
    { title, hasErrors: isRefused, status: isRefused ? 422 : 200 },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={form.errors} />
      <h1>{title}</h1>
      <form method="post" action={href(NEW_KEY_PATH)} class="narrow-form" novalidate>
        <TextField
          form={form}
          name={FIELD.name}
          label={t('dashboard:newKey.name')}
          hint={t('dashboard:newKey.nameHint')}
          autocomplete="off"
          maxlength={NAME_MAX}
        />
        <CheckboxesField
          form={form}
          name={FIELD.permissions}
          label={t('dashboard:newKey.permissions')}
          choices={PERMISSIONS.map((permission) => ({
            value: permission,
            label: t(PERMISSION_WORDS[permission]),
            hint: <code>{permission}</code>,
          }))}
        />
        <ExpiryField form={form} t={t} />
        <div class="buttons">
          <button type="submit">{t('dashboard:newKey.submit')}</button>
          <a href={href(KEYS_PATH)}>{t('dashboard:keys.back')}</a>
        </div>
      </form>
    </>,
  );
}

/** Says why there is no form: all keys that a client may have are in use. */
export function answerKeyLimit(
  context: Context<StaffEnv>,
  site: Site,
  title: string,
): Response | Promise<Response> {
  const { t, href } = context.get('page');
  return answerDashboardPage(
    context,
    site,
    { title, status: context.req.method === 'POST' ? 409 : 200 },
    <>
      <h1>{title}</h1>
      <div class="notice warn">
        <p>
          <strong>{t('dashboard:newKey.limitTitle')}</strong>
        </p>
        <p>{t('dashboard:newKey.limitText')}</p>
      </div>
      <p>
        <a href={href(KEYS_PATH)}>{t('dashboard:keys.back')}</a>
      </p>
    </>,
  );
}
