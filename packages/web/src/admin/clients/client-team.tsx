import type { ListedUser } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import { UserState } from '../../staff/user-state.tsx';
import { newUserPathFor, userPath } from '../paths.ts';

/** Who works for a client. */
export const ClientTeam: FC<{ clientId: string; members: readonly ListedUser[]; page: Page }> = (props) => {
  const { clientId, members, page } = props;
  const { t, href } = page;
  return (
    <section aria-labelledby="team-title">
      <div class="list-head">
        <h2 id="team-title">{t('admin:client.team')}</h2>
        <a href={href(newUserPathFor(clientId))} class="action">
          {t('admin:client.invite')}
        </a>
      </div>
      {members.length === 0 ? (
        <p class="quiet">{t('admin:client.noTeam')}</p>
      ) : (
        <table class="as-cards">
          <thead>
            <tr>
              <th scope="col">{t('admin:users.person')}</th>
              <th scope="col">{t('admin:users.role')}</th>
              <th scope="col">{t('admin:users.state')}</th>
            </tr>
          </thead>
          <tbody>
            {members.map((user) => (
              <tr>
                <th scope="row">
                  <a href={href(userPath(user.id))} class="as-typed">
                    {user.name}
                  </a>{' '}
                  <span class="quiet as-typed">{user.email}</span>
                </th>
                <td data-label={t('admin:users.role')}>
                  {user.teamRole === null ? null : t(`staff:teamRole.${user.teamRole}`)}
                </td>
                <td data-label={t('admin:users.state')}>
                  <UserState user={user} page={page} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};
