import { removeUser as removeUserAction } from '@countersign/domain';
import { TextField } from '../../forms/text-field.tsx';
import { noteBadInput } from '../../staff/bad-input.ts';
import { USERS_PATH } from '../paths.ts';
import type { UserAct } from './user-act.tsx';

const FIELD = 'email';

/** Ends an account. The e-mail is typed, so that it is the right one. */
export const removeUser: UserAct = {
  name: 'remove',
  title: 'admin:remove.title',

  fields: (form, _, { t }) => (
    <>
      <p>{t('admin:remove.text')}</p>
      <TextField
        form={form}
        name={FIELD}
        type="email"
        inputmode="email"
        label={t('admin:remove.email')}
        autocomplete="off"
      />
      <button type="submit" class="danger">
        {t('admin:remove.submit')}
      </button>
    </>
  ),

  async carryOut({ context, user, values }) {
    const { t, href } = context.get('page');
    const as = context.get('as');
    const { id, clientId, email } = user;
    if (values.text(FIELD).toLowerCase() !== email.toLowerCase()) {
      const problems = new Map([[FIELD, t('admin:remove.emailWrong')]]);
      const act = { action: 'users.remove', targetId: id, clientId: clientId ?? undefined } as const;
      await noteBadInput(as, act, problems);
      return problems;
    }
    await as.run(removeUserAction, { userId: id });
    return context.redirect(href(`${USERS_PATH}?done=removed`), 303);
  },
};
