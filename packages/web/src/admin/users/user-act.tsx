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
import { isOwn, memberOf } from './members.ts';

/** Something that an operator does to somebody else's account: a page that asks, and the form on it. */
export interface UserAct {
  /** The last part of its path. */
  readonly name: 'role' | 'invitation' | 'second-factor' | 'remove';
  readonly title: MessageKey;
  /** What the form holds at first. Left out, nothing. */
  readonly initial?: (member: ListedUser) => FormValues;
  /** The fields and the button. */
  readonly fields: (form: FormState, member: ListedUser, page: Page) => Child;
  /** Does it, and answers; or says what is wrong with what was typed, after it was recorded. */
  readonly carryOut: (act: {
    readonly context: Context<StaffEnv>;
    readonly site: Site;
    readonly member: ListedUser;
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
    const member = await memberOf(context, context.req.param('id') ?? '');
    if (isOwn(context, member)) return answerOwn(context, site, act, member, 200);
    if (!hasConfirmed(context, site)) return toConfirm(context, site);
    const values = act.initial?.(member) ?? createFormValues([]);
    return answer(context, site, act, member, values, NO_PROBLEMS);
  };
}

function carryOut(site: Site, act: UserAct): Handler<StaffEnv> {
  return async (context) => {
    const values = await readForm(context);
    const member = await memberOf(context, context.req.param('id') ?? '');
    try {
      const result = await act.carryOut({ context, site, member, values });
      if (result instanceof Response) return result;
      return await answer(context, site, act, member, values, result);
    } catch (error) {
      if (!isCountersignError(error, 'OWN_ACCOUNT')) throw error;
      return answerOwn(context, site, act, member, 409);
    }
  };
}

function answer(
  context: Context<StaffEnv>,
  site: Site,
  act: UserAct,
  member: ListedUser,
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
      <Whom member={member} />
      <form method="post" action={href(userPath(member.id, act.name))} class="narrow-form" novalidate>
        {act.fields(formState(t, values, problems), member, page)}
      </form>
      <BackToUser member={member} page={page} />
    </>,
  );
}

function answerOwn(
  context: Context<StaffEnv>,
  site: Site,
  act: UserAct,
  member: ListedUser,
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
      <Whom member={member} />
      <p class="notice warn" role={isRefused ? 'alert' : undefined}>
        {t(isRefused ? 'admin:user.ownRefused' : 'admin:user.own')}
      </p>
      <BackToUser member={member} page={page} />
    </>,
  );
}

const Whom: FC<{ member: ListedUser }> = ({ member: { name, email } }) => (
  <p>
    <strong class="as-typed">{name}</strong> <span class="as-typed">{email}</span>
  </p>
);

const BackToUser: FC<{ member: ListedUser; page: Page }> = ({ member, page: { t, href } }) => (
  <p>
    <a href={href(userPath(member.id))}>{t('admin:user.back')}</a>
  </p>
);
