import { SANDBOX_OUTCOMES } from '@countersign/domain';
import { dataOf, idOf } from '@countersign/test-support/api/api-client';
import { operate } from '@countersign/test-support/installation/operator';
import { newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { until } from '@countersign/test-support/processes/until';
import { givenClientTeam } from './client-team.ts';
import { LONG, type Looking } from './looking.ts';

/** Checks a sandbox at its monthly limit and a verification with each sandbox outcome. */
export async function lookAtSandbox({ site, newReader }: Looking): Promise<void> {
  const { server } = site;
  const client = await givenClientTeam(server, { name: LONG, monthlyLimit: SANDBOX_OUTCOMES.length });
  const { clientId, owner, api } = client;
  await operate(server, async ({ clients }) => {
    await clients.setSandbox(clientId, true);
    await clients.setFileAccess(clientId, true);
  });
  const driven = await Promise.all(
    SANDBOX_OUTCOMES.map(async (sandboxOutcome, index) => {
      const body = { subjectType: index === 0 ? 'kyb' : 'kyc', subjectReference: `${LONG} ${sandboxOutcome}` };
      return { sandboxOutcome, id: idOf(await api.post({ ...body, metadata: { sandboxOutcome } })) };
    }),
  );

  const reader = await newReader('en', owner);
  await reader.look('/dashboard');
  await reader.look('/dashboard/usage');
  const form = '/dashboard/verifications/new';
  await reader.look(form);
  const wanted = { formId: 'c'.repeat(32), subjectType: 'kyc', subjectReference: 'one more' };
  await reader.post(
    form,
    { ...wanted, sandboxOutcome: 'approved', metadata: '{"sandboxOutcome":"rejected"}' },
    422,
  );
  await reader.post(form, wanted, 409);

  for (const { id, sandboxOutcome } of driven) {
    await until(async () => dataOf(await api.get(`/verifications/${id}`)).status === sandboxOutcome);
    await reader.look(`/dashboard/verifications/${id}`);
  }
  // A viewer does not see the answers.
  await reader.signInAs(await newTeamMember(server, clientId, 'viewer'));
  await reader.look(`/dashboard/verifications/${driven[0]?.id}`);
  await reader.look('/dashboard/verifications');
  reader.expectNothingWrong();
}
