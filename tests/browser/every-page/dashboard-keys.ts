import { change } from '@countersign/test-support/installation/database-file';
import { type GivenClient, operate } from '@countersign/test-support/installation/operator';
import { givenClientTeam } from './client-team.ts';
import { pressCopy, pressCopyInVain } from './copying.ts';
import { LONG, type Looking } from './looking.ts';

const KEYS = '/dashboard/keys';

/** Checks the forms that create, rotate and revoke keys, also for a client with the maximum number of keys. */
export async function lookAtKeys({ site, newReader }: Looking): Promise<void> {
  const { server } = site;
  const [client, full] = await Promise.all([givenClientTeam(server), givenClientTeam(server)]);
  const inUse = `${KEYS}/${client.keyId}`;

  const reader = await newReader('en', client.owner);
  await reader.look(`${KEYS}/new`);
  await reader.post(`${KEYS}/new`, {}, 422);
  await reader.post(`${KEYS}/new`, { name: LONG, permissions: '*', expiresInDays: '' }, 200);
  await reader.change('copied', (page) => pressCopy(page, 'new-key'));
  await reader.change('not copied', (page) => pressCopyInVain(page, 'new-key'));
  await reader.change('loaded again', (page) => page.reload());
  await client.api.post({ subjectReference: 'no type' });
  await client.api.get();
  await reader.look('/dashboard/requests');
  await reader.look(`${inUse}/rotate`);
  await reader.post(`${inUse}/rotate`, { expiresInDays: '7' }, 422);
  await reader.post(`${inUse}/rotate`, { expiresInDays: '90' }, 200);
  await reader.look(`${inUse}/revoke`);
  await reader.post(`${inUse}/revoke`, { name: 'another' }, 422);
  await reader.inFull.look(`${KEYS}/of-nobody/revoke`, 404);

  const { oldId, revokedId } = await fill(server, full);
  await reader.signInAs(full.owner);
  await reader.look(`${KEYS}?done=revoked`);
  await reader.look(`${KEYS}/new`);
  await reader.post(`${KEYS}/new`, { name: 'One more', permissions: '*', expiresInDays: '30' }, 409);
  await reader.inFull.look(`${KEYS}/${full.keyId}/rotate`);
  await reader.inFull.look(`${KEYS}/${oldId}/rotate`);
  await reader.inFull.post(`${KEYS}/${oldId}/rotate`, { expiresInDays: '30' }, 409);
  await reader.inFull.look(`${KEYS}/${revokedId}/revoke`);
  await reader.inFull.post(`${KEYS}/${revokedId}/revoke`, { name: LONG }, 409);
  reader.expectNothingWrong();
}

/** Names in several scripts, a name too long for a narrow screen, and a key without a name. */
const NAMES = [
  LONG,
  'Банк «Гавань»',
  '港口银行',
  'بنك المرفأ',
  'Ťažký kľúč',
  '🔑',
  undefined,
  'ท่าเรือ',
  'ひらがな',
];

/** Issues keys up to the limit, and adds an expired and a revoked one. */
function fill(
  server: Looking['site']['server'],
  { clientId }: GivenClient,
): Promise<{ readonly oldId: string; readonly revokedId: string }> {
  return operate(server, async ({ apiKeys }) => {
    const permissions = ['verifications:create', 'verifications:read'] as const;
    const issue = async (name: string | undefined) =>
      (await apiKeys.issue(clientId, { name, permissions, expiresInDays: 30 })).key.id;
    const [oldId, revokedId] = [await issue(`Old ${LONG}`), await issue(LONG)];
    change(server.databaseFile, 'UPDATE api_keys SET expires_at = created_at + 1 WHERE id = ?', oldId);
    await apiKeys.revoke(clientId, revokedId);
    for (const name of NAMES) await issue(name);
    return { oldId, revokedId };
  });
}
