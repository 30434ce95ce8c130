import { isCountersignError, issueApiKey, listApiKeys } from '@countersign/domain';
import type { Handler } from 'hono';
import { readForm } from '../../forms/form-body.ts';
import { createFormValues } from '../../forms/form-values.ts';
import type { Site } from '../../site/site.ts';
import { noteBadInput } from '../../staff/bad-input.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerIssuedKey } from './issued-key-page.tsx';
import { answerKeyLimit, answerNewKeyPage } from './new-key-page.tsx';
import { FIELD, problemsOf, readKey } from './typed-key.ts';

/** The form; where there are as many keys as there may be, why there is none. */
export function newKeyPage(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const { active, limit } = await context.get('as').run(listApiKeys, {});
    if (active >= limit) return answerKeyLimit(context, site, context.get('page').t('dashboard:newKey.title'));
    return answerNewKeyPage(context, site, createFormValues([[FIELD.expiry, SUGGESTED_EXPIRY]]));
  };
}

/** A key that somebody forgets should not work for ever: whoever wants one that does chooses so. */
const SUGGESTED_EXPIRY = '90';

/** Makes the key and shows it, in this answer and never again. */
export function createKey(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const { t } = context.get('page');
    const as = context.get('as');
    const values = await readForm(context);
    const typed = readKey(values, t);
    const { name, permissions, expiresInDays, unknown } = typed;
    if (unknown.size > 0) {
      await noteBadInput(as, { action: 'api_keys.create' }, unknown);
      return answerNewKeyPage(context, site, values, unknown);
    }
    try {
      const issued = await as.run(issueApiKey, { name, permissions, expiresInDays });
      return await answerIssuedKey(context, site, issued);
    } catch (error) {
      if (isCountersignError(error, 'API_KEY_LIMIT_REACHED')) {
        return answerKeyLimit(context, site, t('dashboard:newKey.title'));
      }
      if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
      return answerNewKeyPage(context, site, values, problemsOf(error.data?.issues ?? [], typed, t));
    }
  };
}
