import { givenClientOf, operate } from '@countersign/test-support/installation/operator';
import { newMember, newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { givenClientTeam } from './client-team.ts';
import { LONG, type Looking, TEMPLATES } from './looking.ts';

/** Checks the dashboard of a new client, of one without a subscription, and its refusal for an operator. */
export async function lookAtDashboardHome({ site, newReader }: Looking): Promise<void> {
  const { server } = site;
  const fresh = await operate(server, ({ clients }) =>
    clients.create({ name: 'Ψηφιακή Ταυτότητα 数字身份', plan: 'standard' }),
  );
  const [owner, ended, operator] = await Promise.all([
    newTeamMember(server, fresh.client.id),
    givenClientTeam(server, { name: LONG }),
    newMember(server, { role: 'operator' }),
  ]);
  await operate(server, async ({ clients }) => {
    await clients.setSubscription(ended.clientId, { status: 'canceled' });
    await clients.setReasonTemplates(ended.clientId, TEMPLATES);
    await clients.setReturnAddresses(ended.clientId, [
      `https://shop.example/${'kyc'.repeat(50)}`,
      'https://a.example/',
    ]);
  });

  const reader = await newReader('de', owner);
  await reader.look('/dashboard');
  await reader.look('/dashboard/keys');
  await reader.look('/dashboard/requests');
  await reader.look('/dashboard/verifications');
  await reader.look('/dashboard/verifications/export');
  await reader.look('/dashboard/usage');
  await reader.look('/dashboard/settings');
  await reader.look('/dashboard/nothing-here', 404);
  // Redirects to the password confirmation.
  await reader.look('/dashboard/keys/new');

  await reader.signInAs(ended.owner);
  await reader.look('/dashboard');
  await reader.look('/dashboard/usage');
  await reader.look('/dashboard/settings');
  await reader.look('/dashboard/return-addresses');
  await reader.post('/dashboard/return-addresses', { returnAddresses: `javascript:${LONG}` }, 422);
  await reader.look('/dashboard/file-access');
  await reader.post('/dashboard/file-access', {}, 422);
  await reader.look('/dashboard/reason-templates');
  await reader.post('/dashboard/reason-templates', { 'ask.0.name': LONG, 'ask.1.en': LONG }, 422);
  await reader.post('/dashboard/reason-templates', { 'ask.0.name': LONG, rows: 'add:ask' }, 200);
  await reader.look('/dashboard/flow');
  const badFlow = { minimumAge: '17', linkDays: LONG, decisionWithin: 'weeks' };
  await reader.post('/dashboard/flow', badFlow, 422);
  await reader.look('/dashboard/face');
  const previewed = {
    displayName: 'Acme',
    colour: 'ffd400',
    supportAddress: 'help@acme.example',
    preview: 'true',
  };
  await reader.post('/dashboard/face', { ...previewed, privacyAddress: 'nowhere' }, 200);
  await reader.post(
    '/dashboard/face',
    { displayName: 'www.acme.example', colour: 'red', supportAddress: LONG },
    422,
  );
  await reader.look('/dashboard/face/logo');
  await reader.post('/dashboard/face/logo', {}, 422);
  await reader.look('/dashboard/face/logo/remove');
  const wanted = { formId: '1'.repeat(32), subjectType: 'kyc', subjectReference: 'nobody' };
  await reader.post('/dashboard/verifications/new', wanted, 409);

  await reader.signInAs(operator);
  await reader.look('/dashboard', 403);
  reader.expectNothingWrong();
}

/** Checks the dashboard of a viewer and the pages it refuses them. */
export async function lookAsViewer({ site, newReader }: Looking): Promise<void> {
  const { server } = site;
  const { clientId } = await givenClientOf(server);
  const reader = await newReader('en', await newTeamMember(server, clientId, 'viewer'));
  await reader.look('/dashboard');
  await reader.look('/dashboard/settings');
  await reader.look('/dashboard/keys', 403);
  await reader.look('/dashboard/requests', 403);
  for (const page of ['verifications/new', 'verifications/export', 'team/invite']) {
    await reader.inFull.look(`/dashboard/${page}`, 403);
  }
  await reader.look('/dashboard/team');
  reader.expectNothingWrong();
}
