import { givenClientTeam } from './client-team.ts';
import { LONG, type Looking } from './looking.ts';
import { givenOperator } from './operator.ts';

const AUDIT = '/admin/audit';

/** Checks the audit log unfiltered, filtered and empty. */
export async function lookAtAuditLog({ site, newReader }: Looking): Promise<void> {
  const [operator, { clientId, owner }] = await Promise.all([
    givenOperator({ site }),
    givenClientTeam(site.server, { name: LONG }),
  ]);
  for (const page of ['keys/of-nobody/revoke', 'verifications/of-nobody', 'team/of-nobody/role']) {
    await owner.get(`/dashboard/${page}`);
  }
  const reader = await newReader('en', operator);
  await reader.look(AUDIT);
  await reader.look(`${AUDIT}?client=${clientId}&outcome=refused`);
  await reader.inFull.look(`${AUDIT}?action=users.remove&outcome=failed`);
  await reader.look(`${AUDIT}?action=steal&outcome=gone`, 400);
  await reader.inFull.look(`${AUDIT}?before=1`);
  reader.expectNothingWrong();
}
