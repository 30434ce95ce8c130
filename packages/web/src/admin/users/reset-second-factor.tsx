import { resetSecondFactor as resetSecondFactorAction } from '@countersign/domain';
import { userPath } from '../paths.ts';
import type { UserAct } from './user-act.tsx';

/** For somebody who lost the device and the backup codes. */
export const resetSecondFactor: UserAct = {
  name: 'second-factor',
  title: 'admin:secondFactor.title',

  fields: (_, { hasSecondFactor }, { t }) => (
    <>
      <p>{t(hasSecondFactor ? 'admin:secondFactor.text' : 'admin:secondFactor.none')}</p>
      <button type="submit" class="danger">
        {t('admin:secondFactor.submit')}
      </button>
    </>
  ),

  async carryOut({ context, user }) {
    await context.get('as').run(resetSecondFactorAction, { userId: user.id });
    return context.redirect(context.get('page').href(`${userPath(user.id)}?done=second_factor`), 303);
  },
};
