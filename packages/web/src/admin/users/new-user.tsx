import { createUser as createUserAction, isCountersignError } from '@countersign/domain';
import type { Handler } from 'hono';
import { readForm } from '../../forms/form-body.ts';
import { createFormValues } from '../../forms/form-values.ts';
import type { Translate } from '../../site/messages.ts';
import type { Site } from '../../site/site.ts';
import { NO_PROBLEMS, noteBadInput, type Problems } from '../../staff/bad-input.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerNewLink } from './new-link.tsx';
import { FIELD, readUser } from './typed-user.ts';
import { answerUserForm } from './user-form.tsx';

/** The form; with `?client=` for that client's first owner. */
export function newUserPage(site: Site): Handler<StaffEnv> {
  return (context) => {
    const clientId = context.req.query('client');
    const forClient: [string, string][] =
      clientId === undefined
        ? []
        : [
            [FIELD.role, 'client'],
            [FIELD.clientId, clientId],
            [FIELD.teamRole, 'owner'],
          ];
    return answerUserForm(context, site, createFormValues(forClient), NO_PROBLEMS);
  };
}

/** Makes the account and shows its one-time link, in this answer and never again. */
export function createUser(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const { t } = context.get('page');
    const as = context.get('as');
    const values = await readForm(context);
    const typed = readUser(values, t);
    if (typed.input === null) {
      await noteBadInput(as, { action: 'users.create' }, typed.problems);
      return answerUserForm(context, site, values, typed.problems);
    }
    try {
      const link = await as.run(createUserAction, typed.input);
      return await answerNewLink(context, site, link);
    } catch (error) {
      const problems = refusalOf(error, t);
      if (problems === null) throw error;
      const status = isCountersignError(error, 'USER_EXISTS') ? 409 : 422;
      return answerUserForm(context, site, values, problems, status);
    }
  };
}

function refusalOf(error: unknown, t: Translate): Problems | null {
  if (!isCountersignError(error)) return null;
  switch (error.code) {
    case 'USER_EXISTS':
      return new Map([[FIELD.email, t('admin:newUser.exists')]]);
    case 'CLIENT_NOT_FOUND':
      return new Map([[FIELD.clientId, t('admin:newUser.clientUnknown')]]);
    default:
      return null;
  }
}
