import type { ListedUser } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import { MemberState } from '../../staff/member-state.tsx';
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
            {members.map((member) => (
              <tr>
                <th scope="row">
                  <a href={href(userPath(member.id))} class="as-typed">
                    {member.name}
                  </a>{' '}
                  <span class="quiet as-typed">{member.email}</span>
                </th>
                <td data-label={t('admin:users.role')}>
                  {member.teamRole === null ? null : t(`staff:teamRole.${member.teamRole}`)}
                </td>
                <td data-label={t('admin:users.state')}>
                  <MemberState member={member} page={page} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};
