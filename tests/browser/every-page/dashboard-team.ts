import { staffIdOf } from '@countersign/test-support/installation/audit-lines';
import { newUser } from '@countersign/test-support/pages/new-user';
import { newMember } from '@countersign/test-support/pages/staff-forms';
import { givenClientTeam } from './client-team.ts';
import { pressCopy } from './copying.ts';
import { LONG, type Looking } from './looking.ts';

const TEAM = '/dashboard/team';

/** Checks the team's list and the forms for its users. */
export async function lookAtTeam({ site, newReader }: Looking): Promise<void> {
  const { server } = site;
  const { clientId, owner } = await givenClientTeam(server);
  const [viewer] = await Promise.all([
    newMember(server, { role: 'client', clientId, teamRole: 'viewer', name: 'Зоя Ильинична 佐伊' }),
    newUser(server, { role: 'client', clientId, teamRole: 'agent', name: LONG, email: INVITED }),
  ]);
  const idOf = (email: string) => staffIdOf(server.databaseFile, email);
  const own = `${TEAM}/${idOf(owner.email)}`;
  const joined = `${TEAM}/${idOf(viewer.email)}`;
  const invited = `${TEAM}/${idOf(INVITED)}`;

  const reader = await newReader('de', owner);
  await reader.look(`${TEAM}?done=role`);
  await reader.look(`${TEAM}/invite`);
  await reader.post(`${TEAM}/invite`, { teamRole: 'admin' }, 422);
  await reader.inFull.post(`${TEAM}/invite`, { email: 'nobody', name: 'a\u0007', teamRole: 'agent' }, 422);
  await reader.inFull.post(`${TEAM}/invite`, { email: owner.email, teamRole: 'viewer' }, 409);
  const another = (language: string) => ({ email: `new-${language}@example.org`, name: LONG, teamRole: 'viewer' });
  await reader.post(`${TEAM}/invite`, another, 200);
  await reader.change('copied', pressCopy);
  await reader.change('loaded again', (page) => page.reload());

  await reader.look(`${joined}/role`);
  await reader.post(`${joined}/role`, {}, 422);
  await reader.inFull.post(`${own}/role`, { teamRole: 'viewer' }, 409);
  await reader.look(`${invited}/invitation`);
  await reader.post(`${invited}/invitation`, {}, 200);
  await reader.inFull.look(`${joined}/invitation`);
  await reader.inFull.post(`${joined}/invitation`, {}, 409);
  await reader.look(`${invited}/remove`);
  await reader.inFull.look(`${own}/remove`);
  await reader.post(`${own}/remove`, {}, 409);
  await reader.inFull.look(`${TEAM}/of-nobody/role`, 404);
  reader.expectNothingWrong();
}

const INVITED = `${'long'.repeat(14)}@${'very-long-name.'.repeat(4)}example.org`;
