import { staffIdOf } from '@countersign/test-support/installation/audit-lines';
import { newUser } from '@countersign/test-support/pages/new-user';
import { newMember } from '@countersign/test-support/pages/staff-forms';
import { pressCopy } from './copying.ts';
import { LONG, type Looking } from './looking.ts';
import { givenOperator } from './operator.ts';

const USERS = '/admin/users';
const INVITED = `${'long'.repeat(15)}@${'very-long-name.'.repeat(4)}example.org`;

/** Checks the list of users and the operators' forms for an account. */
export async function lookAtUsers({ site, newReader }: Looking): Promise<void> {
  const { server, clientId } = site;
  const [operator, reviewer, viewer] = await Promise.all([
    givenOperator({ site }),
    newMember(server, { role: 'reviewer', name: 'Зоя Ильинична 佐伊' }),
    newMember(server, { role: 'client', clientId, teamRole: 'viewer' }),
    newUser(server, { role: 'client', clientId, name: LONG, email: INVITED }),
  ]);
  const pathOf = (email: string) => `${USERS}/${staffIdOf(server.databaseFile, email)}`;
  const [own, colleague, ofClient, invited] = [operator, reviewer, viewer, { email: INVITED }].map(({ email }) =>
    pathOf(email),
  ) as [string, string, string, string];

  const reader = await newReader('en', operator);
  await reader.look(`${USERS}?done=removed`);
  await reader.look(`${USERS}/new?client=${clientId}`);
  await reader.post(`${USERS}/new`, {}, 422);
  await reader.inFull.post(`${USERS}/new`, { role: 'reviewer', clientId, teamRole: 'agent' }, 422);
  const another = (language: string) => ({
    email: `another-${language}@example.org`,
    name: LONG,
    role: 'reviewer',
  });
  await reader.post(`${USERS}/new`, another, 200);
  await reader.change('copied', pressCopy);
  await reader.change('loaded again', (page) => page.reload());

  await reader.look(own);
  await reader.inFull.look(invited);
  await reader.look(`${ofClient}?done=role`);
  await reader.look(`${ofClient}/role`);
  await reader.inFull.look(`${colleague}/role`);
  await reader.post(`${colleague}/role`, { role: 'king' }, 422);
  await reader.look(`${invited}/invitation`);
  await reader.post(`${invited}/invitation`, {}, 200);
  await reader.look(`${colleague}/second-factor`);
  await reader.post(`${own}/second-factor`, {}, 409);
  await reader.look(`${colleague}/identities`);
  await reader.post(`${own}/identities`, {}, 409);
  await reader.look(`${colleague}/remove`);
  await reader.post(`${colleague}/remove`, { email: 'another' }, 422);
  await reader.inFull.look(`${own}/remove`);
  await reader.inFull.look(`${USERS}/of-nobody`, 404);

  // Users of a client get 403.
  await reader.signInAs(viewer);
  await reader.look(USERS, 403);
  reader.expectNothingWrong();
}
