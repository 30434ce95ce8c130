import type { User } from '@countersign/domain';
import type { Translate } from '../../site/messages.ts';

/** What somebody may do: `Reviewer`, or for a client's staff `Client: Agent`. */
export function roleInWords({ role, teamRole }: Pick<User, 'role' | 'teamRole'>, t: Translate): string {
  const name = t(`admin:role.${role}`);
  return teamRole === null ? name : `${name}: ${t(`staff:teamRole.${teamRole}`)}`;
}
