import { CLIENT_CHOICES } from '@countersign/domain/clients';
import { givenClientOf, operate } from '@countersign/test-support/installation/operator';
import { newUser } from '@countersign/test-support/pages/new-user';
import { LONG, type Looking } from './looking.ts';
import { givenOperator } from './operator.ts';

const CLIENTS = '/admin/clients';

/** Checks the pages of clients with every state of subscription. */
export async function lookAtClients({ site, newReader }: Looking): Promise<void> {
  const { server } = site;
  const [operator, busy, { none, ended }] = await Promise.all([
    givenOperator({ site }),
    givenClientOf(server, { name: LONG, monthlyLimit: 0 }),
    givenClients(server),
  ]);
  const team = { role: 'client', clientId: busy.clientId, name: LONG } as const;
  await newUser(server, { ...team, email: 'somebody-who-is-invited@example.org' });

  const reader = await newReader('de', operator);
  await reader.look('/admin');
  await reader.inFull.look(`/admin?after=${none}`);
  await reader.inFull.look('/admin?after=nobody', 400);
  await reader.look('/admin?name=nobody+is+called+so');
  await reader.look('/admin/nothing-here', 404);
  for (const list of ['/review', '/admin/audit']) {
    await reader.look(`${list}?client=${busy.clientId}`);
    await reader.look(`${list}?client=${encodeURIComponent('клиент')}`, 400);
    await reader.inFull.look(`${list}?client=nobody+is+called+so`, 400);
  }
  await reader.look('/admin/status');
  await reader.look('/admin/users/new');
  await reader.look(`${CLIENTS}/new`);
  await reader.post(`${CLIENTS}/new`, { plan: 'gold', monthlyLimit: '-1' }, 422);

  await reader.look(`${CLIENTS}/${none}`);
  const firstKey = `${CLIENTS}/${none}/first-key`;
  await reader.look(firstKey);
  await reader.post(firstKey, { name: LONG }, 422);
  await reader.post(firstKey, { name: LONG, permissions: '*', expiresInDays: '30' }, 200);
  await reader.look(firstKey);
  await reader.look(`${CLIENTS}/${ended}?done=subscription`);
  await reader.look(`${CLIENTS}/${busy.clientId}`);
  const wrong = { plan: 'gold', monthlyLimit: 'many', status: 'late', 'endsAt.day': '31', 'endsAt.month': '2' };
  await reader.post(`${CLIENTS}/${busy.clientId}/subscription`, { ...wrong, 'endsAt.year': '2030' }, 422);
  await reader.look(`${CLIENTS}/${busy.clientId}/subscription`);
  await reader.look(`${CLIENTS}/${busy.clientId}/usage`);
  const twin = await operate(server, ({ clients }) => clients.testTwin(busy.clientId));
  await reader.look(`${CLIENTS}/${twin.id}`);
  await reader.look(`${CLIENTS}/${busy.clientId}/return-addresses`);
  await reader.post(`${CLIENTS}/${busy.clientId}/return-addresses`, { returnAddresses: 'shop.example' }, 422);
  await reader.look(`${CLIENTS}/${busy.clientId}/reason-templates`);
  await reader.post(
    `${CLIENTS}/${busy.clientId}/reason-templates`,
    { 'ask.0.name': LONG, 'reject.0.en': LONG },
    422,
  );
  await reader.look(`${CLIENTS}/${busy.clientId}/flow`);
  await reader.post(`${CLIENTS}/${busy.clientId}/flow`, { minimumAge: '17', linkDays: '0' }, 422);
  await reader.inFull.look(`${CLIENTS}/of-nobody`, 404);
  reader.expectNothingWrong();
}

/** Creates more clients than a page or a list to choose from has. */
function givenClients(
  server: Looking['site']['server'],
): Promise<{ readonly none: string; readonly ended: string }> {
  return operate(server, async ({ clients }) => {
    for (let made = 1; made <= CLIENT_CHOICES; made += 1)
      await clients.create({ name: `Клиент 客户 ${made}`, plan: 'standard' });
    const none = await clients.create({ name: 'بنك المرفأ', plan: 'none' });
    const ended = await clients.create({ name: 'Ťažký kľúč', plan: 'enterprise' });
    await clients.setSubscription(ended.client.id, { status: 'canceled', endsAt: new Date('2099-12-31') });
    return { none: none.client.id, ended: ended.client.id };
  });
}
