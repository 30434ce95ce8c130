import { getApiKey, isCountersignError, type ListedKey, listApiKeys, rotateApiKey } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import { readForm } from '../../forms/form-body.ts';
import { createFormValues, type FormValues } from '../../forms/form-values.ts';
import { formState } from '../../forms/form-words.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { noteBadInput } from '../../staff/bad-input.ts';
import { hasConfirmed, toConfirm } from '../../staff/confirmed.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { KEYS_PATH, keyPath } from '../paths.ts';
import { ExpiryField } from './expiry-field.tsx';
import { answerIssuedKey } from './issued-key-page.tsx';
import { calledBy } from './key-words.ts';
import { answerKeyLimit } from './new-key-page.tsx';
import { FIELD, type Problems, readKey } from './typed-key.ts';

type Rotate = Handler<StaffEnv, '/:id/rotate'>;

/** Explains what comes of it, and asks when the new key expires. */
export function rotatePage(site: Site): Rotate {
  return async (context) => {
    const as = context.get('as');
    const key = await as.run(getApiKey, { keyId: context.req.param('id') });
    if (!hasConfirmed(context, site)) return toConfirm(context, site);
    const { active, limit } = await as.run(listApiKeys, {});
    if (key.state === 'active' && active >= limit) return answerLimit(context, site);
    return answer(context, site, key, createFormValues([[FIELD.expiry, '90']]));
  };
}

/** Makes the new key and shows it, with the way to revoke the old one. */
export function rotateKey(site: Site): Rotate {
  return async (context) => {
    const { t } = context.get('page');
    const as = context.get('as');
    const keyId = context.req.param('id');
    const values = await readForm(context);
    const key = await as.run(getApiKey, { keyId });
    const { expiresInDays, unknown } = readKey(values, t);
    if (unknown.has(FIELD.expiry)) {
      const problems = new Map([[FIELD.expiry, unknown.get(FIELD.expiry)]]);
      await noteBadInput(as, { action: 'api_keys.rotate', targetId: keyId }, problems);
      return answer(context, site, key, values, unknown);
    }
    try {
      return await answerIssuedKey(context, site, await as.run(rotateApiKey, { keyId, expiresInDays }));
    } catch (error) {
      if (isCountersignError(error, 'API_KEY_LIMIT_REACHED')) return answerLimit(context, site);
      if (!isCountersignError(error, 'API_KEY_NOT_ACTIVE')) throw error;
      // The key was revoked or has expired meanwhile, and the page says so.
      return answer(context, site, await as.run(getApiKey, { keyId }), values, new Map());
    }
  };
}

function answerLimit(context: Context<StaffEnv>, site: Site): Response | Promise<Response> {
  return answerKeyLimit(context, site, context.get('page').t('dashboard:rotate.title'));
}

function answer(
  context: Context<StaffEnv>,
  site: Site,
  key: ListedKey,
  values: FormValues,
  problems?: Problems,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const title = t('dashboard:rotate.title');
  const isActive = key.state === 'active';
  const errors = isActive ? problems : undefined;
  const status = problems === undefined ? 200 : isActive ? 422 : 409;
  return answerDashboardPage(
    context,
    site,
    { title, hasErrors: problems !== undefined, status },
    <>
      {errors === undefined ? null : <ErrorSummary title={t('site:error.summary')} errors={errors} />}
      <h1>{title}</h1>
      <p>
        <strong class="as-typed">{calledBy(key)}</strong> <code>{key.display}</code>
      </p>
      {isActive ? (
        <RotateForm page={page} apiKey={key} values={values} problems={errors} />
      ) : (
        <p class="notice warn">
          {t('dashboard:rotate.notActive', { state: t(`dashboard:keyState.${key.state}`) })}
        </p>
      )}
      <p>
        <a href={href(KEYS_PATH)}>{t('dashboard:keys.back')}</a>
      </p>
    </>,
  );
}

const RotateForm: FC<{ page: Page; apiKey: ListedKey; values: FormValues; problems: Problems | undefined }> = (
  props,
) => {
  const { page, apiKey, values, problems } = props;
  const { t, href } = page;
  return (
    <>
      <p>{t('dashboard:rotate.explain')}</p>
      <form method="post" action={href(keyPath(apiKey.id, 'rotate'))} class="narrow-form" novalidate>
        <ExpiryField form={formState(t, values, problems)} t={t} />
        <button type="submit">{t('dashboard:rotate.submit')}</button>
      </form>
    </>
  );
};
