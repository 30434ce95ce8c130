import { getApiKey, isCountersignError, type ListedKey, revokeApiKey } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import { readForm } from '../../forms/form-body.ts';
import type { FormState } from '../../forms/form-state.ts';
import { createFormValues, type FormValues } from '../../forms/form-values.ts';
import { formState } from '../../forms/form-words.ts';
import { TextField } from '../../forms/text-field.tsx';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { Moment } from '../../wording/moment.tsx';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { KEYS_PATH, keyPath } from '../paths.ts';
import { calledBy } from './key-words.ts';
import { LastUsed } from './last-used.tsx';

type Revoke = Handler<StaffEnv, '/:id/revoke'>;

const NAME = 'name';

/** Asks for the key's name, so that nobody revokes another one by a slip. */
export function revokePage(site: Site): Revoke {
  return async (context) => {
    const key = await context.get('as').run(getApiKey, { keyId: context.req.param('id') });
    return answer(context, site, key, createFormValues([]), null);
  };
}

/** Revokes the key if its name was typed. */
export function revokeKey(site: Site): Revoke {
  return async (context) => {
    const { t, href } = context.get('page');
    const as = context.get('as');
    const keyId = context.req.param('id');
    const values = await readForm(context);
    const key = await as.run(getApiKey, { keyId });
    if (key.state === 'revoked') {
      await as.recordRefusal({ action: 'api_keys.revoke', targetId: keyId, detail: { code: 'API_KEY_REVOKED' } });
      return answer(context, site, key, values, null);
    }
    try {
      await as.run(revokeApiKey, { keyId, name: values.text(NAME) });
    } catch (error) {
      if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
      return answer(context, site, key, values, t('dashboard:revoke.wrongName', { name: calledBy(key) }));
    }
    return context.redirect(href(`${KEYS_PATH}?done=revoked`), 303);
  };
}

function answer(
  context: Context<StaffEnv>,
  site: Site,
  key: ListedKey,
  values: FormValues,
  problem: string | null,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const title = t('dashboard:revoke.title');
  const form = formState(t, values, new Map(problem === null ? [] : [[NAME, problem]]));
  const isRevoked = key.state === 'revoked';
  const tooLate = isRevoked && context.req.method === 'POST';
  return answerDashboardPage(
    context,
    site,
    { title, hasErrors: problem !== null, status: tooLate ? 409 : problem === null ? 200 : 422 },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={form.errors} />
      <h1>{title}</h1>
      <p>
        <strong class="as-typed">{calledBy(key)}</strong> <code>{key.display}</code>
      </p>
      {isRevoked && key.revokedAt !== null ? (
        <p class="notice">
          {t('dashboard:revoke.already')} <Moment at={key.revokedAt} page={page} />
        </p>
      ) : (
        <>
          <p>
            {t('dashboard:revoke.explain')} {t('dashboard:keys.lastUsed')}:{' '}
            <LastUsed at={key.lastUsedAt} now={site.options.clock.now()} page={page} />
          </p>
          <RevokeForm page={page} form={form} apiKey={key} />
        </>
      )}
      <p>
        <a href={href(KEYS_PATH)}>{t('dashboard:keys.back')}</a>
      </p>
    </>,
  );
}

const RevokeForm: FC<{ page: Page; form: FormState; apiKey: ListedKey }> = ({ page, form, apiKey }) => {
  const { t, href } = page;
  return (
    <form method="post" action={href(keyPath(apiKey.id, 'revoke'))} class="narrow-form" novalidate>
      <TextField
        form={form}
        name={NAME}
        label={t('dashboard:revoke.name')}
        hint={t(apiKey.name === '' ? 'dashboard:revoke.displayHint' : 'dashboard:revoke.nameHint', {
          name: calledBy(apiKey),
        })}
        autocomplete="off"
      />
      <button type="submit" class="danger">
        {t('dashboard:revoke.submit')}
      </button>
    </form>
  );
};
