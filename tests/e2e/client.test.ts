import { createClient } from '@countersign/client';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { startServer } from '@countersign/test-support/processes/server-process';
import { expect, it } from 'vitest';

it('the typed client creates, reads, lists and iterates against a running server', async () => {
  const server = await startServer();
  const { key } = await givenClientOf(server);
  const client = createClient({ baseUrl: server.baseUrl, apiKey: key });
  const created = await client.verifications.create({
    subjectType: 'kyc',
    subjectReference: 'user_1',
    metadata: { note: 'Zoë' },
  });
  await client.verifications.create({ subjectType: 'kyb', subjectReference: 'company_1' });

  const read = await client.verifications.get(created.id);
  expect(read).toMatchObject({ ...created, metadata: { note: 'Zoë' } });
  const details = await client.verifications.details(created.id);
  expect(details.history.map(({ status }) => status)).toEqual(['pending']);
  expect((await client.verifications.list({ type: 'kyc' })).verifications).toEqual([read]);
  const names: string[] = [];
  for await (const { subjectReference } of client.verifications.listAll({ limit: 1 })) {
    names.push(subjectReference);
  }
  expect(names).toEqual(['user_1', 'company_1']);
});
