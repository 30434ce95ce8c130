import { SANDBOX_OUTCOMES } from '@countersign/domain';
import { createApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { operate } from '@countersign/test-support/installation/operator';
import { newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { until } from '@countersign/test-support/processes/until';
import { givenClientTeam } from './client-team.ts';
import { LONG, type Looking } from './looking.ts';

const HOME = '/dashboard/test';

/** Checks the dashboard in test mode: its lists and forms, and a verification with each sandbox outcome. */
export async function lookAtTestMode({ site, newReader }: Looking): Promise<void> {
  const { server } = site;
  const { clientId, owner } = await givenClientTeam(server, { name: LONG });
  const test = await operate(server, async ({ clients, apiKeys }) => {
    await clients.setFileAccess(clientId, true);
    const twin = await clients.testTwin(clientId);
    return apiKeys.issue(twin.id, { name: LONG, permissions: ['*'] });
  });
  const api = createApiClient(server.baseUrl, test.value);
  const driven = await Promise.all(
    SANDBOX_OUTCOMES.map(async (sandboxOutcome, index) => {
      const body = { subjectType: index === 0 ? 'kyb' : 'kyc', subjectReference: `${LONG} ${sandboxOutcome}` };
      return { sandboxOutcome, id: idOf(await api.post({ ...body, metadata: { sandboxOutcome } })) };
    }),
  );

  const reader = await newReader('en', owner);
  for (const path of ['', '/settings', '/keys/new', '/requests']) await reader.look(HOME + path);
  for (const path of ['/keys', '/webhooks', '/webhooks/new', '/usage']) await reader.inFull.look(HOME + path);
  await reader.look(`${HOME}/nothing-here`, 404);
  await reader.look(`${HOME}/team`, 404);
  await reader.post(`${HOME}/keys/new`, { name: LONG, permissions: '*', expiresInDays: '' }, 200);
  const form = `${HOME}/verifications/new`;
  await reader.look(form);
  const wanted = { formId: 'c'.repeat(32), subjectType: 'kyc', subjectReference: 'one more' };
  await reader.post(
    form,
    { ...wanted, sandboxOutcome: 'approved', metadata: '{"sandboxOutcome":"rejected"}' },
    422,
  );

  for (const [index, { id, sandboxOutcome }] of driven.entries()) {
    await until(async () => dataOf(await api.get(`/verifications/${id}`)).status === sandboxOutcome);
    await (index === 0 ? reader : reader.inFull).look(`${HOME}/verifications/${id}`);
  }
  // A viewer does not see the answers.
  await reader.signInAs(await newTeamMember(server, clientId, 'viewer'));
  await reader.look(`${HOME}/verifications/${driven[0]?.id}`);
  await reader.look(`${HOME}/verifications`);
  await reader.look(`${HOME}/keys`, 403);
  reader.expectNothingWrong();
}
