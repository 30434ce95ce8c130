import {
  createClient as createClientAction,
  isCountersignError,
  type NewClient,
  PLANS,
} from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import { readForm } from '../../forms/form-body.ts';
import { createFormValues, type FormValues } from '../../forms/form-values.ts';
import { formState } from '../../forms/form-words.ts';
import { TextField } from '../../forms/text-field.tsx';
import type { Translate } from '../../site/messages.ts';
import type { Site } from '../../site/site.ts';
import { NO_PROBLEMS, noteBadInput, type Problems } from '../../staff/bad-input.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerAdminPage } from '../admin-page.tsx';
import { CLIENTS_PATH, clientPath, NEW_CLIENT_PATH } from '../paths.ts';
import { PlanFields } from './plan-fields.tsx';
import { FIELD, limitIn, planIn, problemsOf } from './typed-subscription.ts';

export function newClientPage(site: Site): Handler<StaffEnv> {
  return (context) => answer(context, site, createFormValues([[FIELD.plan, 'standard']]), NO_PROBLEMS);
}

/** Sets the client up and leads to its page. */
export function createClient(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const page = context.get('page');
    const { t, href } = page;
    const as = context.get('as');
    const values = await readForm(context);
    const typed = read(values, t);
    if (typed.input === null) {
      await noteBadInput(as, { action: 'clients.create' }, typed.problems);
      return answer(context, site, values, typed.problems);
    }
    try {
      const { client } = await as.run(createClientAction, typed.input);
      return context.redirect(href(`${clientPath(client.id)}?done=created`), 303);
    } catch (error) {
      if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
      return answer(context, site, values, problemsOf(error.data?.issues ?? [], page, site.options.clock.now()));
    }
  };
}

type Typed = { readonly input: NewClient } | { readonly input: null; readonly problems: Problems };

function read(values: FormValues, t: Translate): Typed {
  const plan = values.text(FIELD.plan) === 'none' ? 'none' : planIn(values);
  const monthlyLimit = limitIn(values);
  const problems = new Map<string, string>();
  if (plan === undefined) problems.set(FIELD.plan, t('admin:newClient.planNeeded'));
  if (monthlyLimit === undefined) problems.set(FIELD.limit, t('admin:newClient.limitBad'));
  else if (plan === 'none' && monthlyLimit !== null) {
    problems.set(FIELD.limit, t('admin:newClient.limitNeedsPlan'));
  }
  if (plan === undefined || problems.size > 0) return { input: null, problems };
  return { input: { name: values.text(FIELD.name), plan, monthlyLimit: monthlyLimit ?? undefined } };
}

function answer(
  context: Context<StaffEnv>,
  site: Site,
  values: FormValues,
  problems: Problems,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const form = formState(t, values, problems);
  const title = t('admin:newClient.title');
  const hasErrors = problems.size > 0;
  return answerAdminPage(
    context,
    site,
    { title, hasErrors, status: hasErrors ? 422 : 200 },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={problems} />
      <h1>{title}</h1>
      <form method="post" action={href(NEW_CLIENT_PATH)} class="narrow-form" novalidate>
        <TextField
          form={form}
          name={FIELD.name}
          label={t('admin:newClient.name')}
          hint={t('admin:newClient.nameHint')}
          autocomplete="off"
        />
        <PlanFields form={form} page={page} plans={[...PLANS, 'none']} />
        <div class="buttons">
          <button type="submit">{t('admin:newClient.submit')}</button>
          <a href={href(CLIENTS_PATH)}>{t('admin:clients.back')}</a>
        </div>
      </form>
    </>,
  );
}
