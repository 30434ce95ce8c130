import { isCountersignError, type ListedUser } from '@countersign/domain';
import type { Context, Handler, Hono } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import { readForm } from '../../forms/form-body.ts';
import type { FormState } from '../../forms/form-state.ts';
import { createFormValues, type FormValues } from '../../forms/form-values.ts';
import { formState } from '../../forms/form-words.ts';
import type { MessageKey } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { NO_PROBLEMS, type Problems } from '../../staff/bad-input.ts';
import { hasConfirmed, toConfirm } from '../../staff/confirmed.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerAdminPage } from '../admin-page.tsx';
import { userPath } from '../paths.ts';
import { isOwn, userOf } from './members.ts';

/** Something that an operator does to somebody else's account: a page that asks, and the form on it. */
export interface UserAct {
  /** The last part of its path. */
  readonly name: 'role' | 'invitation' | 'second-factor' | 'remove';
  readonly title: MessageKey;
  /** What the form holds at first. Left out, nothing. */
  readonly initial?: (user: ListedUser) => FormValues;
  /** The fields and the button. */
  readonly fields: (form: FormState, user: ListedUser, page: Page) => Child;
  /** Does it, and answers; or says what is wrong with what was typed, after it was recorded. */
  readonly carryOut: (act: {
    readonly context: Context<StaffEnv>;
    readonly site: Site;
    readonly user: ListedUser;
    readonly values: FormValues;
  }) => Promise<Response | Problems>;
}

/** Puts the page and the form of an act below `/:id`. */
export function mountUserAct(routes: Hono<StaffEnv>, site: Site, act: UserAct): void {
  routes.get(`/:id/${act.name}`, actPage(site, act));
  routes.post(`/:id/${act.name}`, carryOut(site, act));
}

function actPage(site: Site, act: UserAct): Handler<StaffEnv> {
  return async (context) => {
    const user = await userOf(context, context.req.param('id') ?? '');
    if (isOwn(context, user)) return answerOwn(context, site, act, user, 200);
    if (!hasConfirmed(context, site)) return toConfirm(context, site);
    const values = act.initial?.(user) ?? createFormValues([]);
    return answer(context, site, act, user, values, NO_PROBLEMS);
  };
}

function carryOut(site: Site, act: UserAct): Handler<StaffEnv> {
  return async (context) => {
    const values = await readForm(context);
    const user = await userOf(context, context.req.param('id') ?? '');
    try {
      const result = await act.carryOut({ context, site, user, values });
      if (result instanceof Response) return result;
      return await answer(context, site, act, user, values, result);
    } catch (error) {
      if (!isCountersignError(error, 'OWN_ACCOUNT')) throw error;
      return answerOwn(context, site, act, user, 409);
    }
  };
}

function answer(
  context: Context<StaffEnv>,
  site: Site,
  act: UserAct,
  user: ListedUser,
  values: FormValues,
  problems: Problems,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const hasErrors = problems.size > 0;
  return answerAdminPage(
    context,
    site,
    { title: t(act.title), hasErrors, status: hasErrors ? 422 : 200 },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={problems} />
      <h1>{t(act.title)}</h1>
      <Whom user={user} />
      <form method="post" action={href(userPath(user.id, act.name))} class="narrow-form" novalidate>
        {act.fields(formState(t, values, problems), user, page)}
      </form>
      <BackToUser user={user} page={page} />
    </>,
  );
}

function answerOwn(
  context: Context<StaffEnv>,
  site: Site,
  act: UserAct,
  user: ListedUser,
  status: 200 | 409,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t } = page;
  const isRefused = status === 409;
  return answerAdminPage(
    context,
    site,
    { title: t(act.title), status, hasErrors: isRefused },
    <>
      <h1>{t(act.title)}</h1>
      <Whom user={user} />
      <p class="notice warn" role={isRefused ? 'alert' : undefined}>
        {t(isRefused ? 'admin:user.ownRefused' : 'admin:user.own')}
      </p>
      <BackToUser user={user} page={page} />
    </>,
  );
}

const Whom: FC<{ user: ListedUser }> = ({ user: { name, email } }) => (
  <p>
    <strong class="as-typed">{name}</strong> <span class="as-typed">{email}</span>
  </p>
);

const BackToUser: FC<{ user: ListedUser; page: Page }> = ({ user, page: { t, href } }) => (
  <p>
    <a href={href(userPath(user.id))}>{t('admin:user.back')}</a>
  </p>
);
