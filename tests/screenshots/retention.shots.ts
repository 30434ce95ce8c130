import { createApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { newVisitor } from '@countersign/test-support/browser/browser';
import { giveContacts } from '@countersign/test-support/installation/operator';
import { createClock } from '@countersign/test-support/processes/clock';
import { countersign } from '@countersign/test-support/processes/command-line';
import { startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { it } from 'vitest';
import { decideAsInTestMode } from './decide-as-in-test-mode.ts';
import { keepPicture } from './keep-picture.ts';
import { newPerson, press } from './person.ts';

// Takes pictures of the pages of retention, erasure and copies of data. All people are fictitious.

const NOW = '2026-03-27T14:20:40Z';

it('retention, holds, erasure and copies of data', async () => {
  const clock = createClock(NOW);
  const server = await startServer({ env: { ...clock.env, TRUST_PROXY: '1' } });
  const newClient = ['client', 'create', '--name', 'Harbour Bank', '--plan', 'standard'];
  const { id: clientId } = await countersign<{ id: string }>(newClient, server.env);
  await giveContacts(server, clientId, 'harbour-bank.example');
  decideAsInTestMode(server.databaseFile, clientId, true);
  const newKey = ['key', 'create', '--client', clientId, '--permissions', '*'];
  const { key } = await countersign<{ key: string }>(newKey, server.env);
  const api = createApiClient(server.baseUrl, key);
  const id = idOf(
    await api.post({
      subjectType: 'kyc',
      subjectReference: 'customer-20417',
      metadata: { sandboxOutcome: 'approved' },
    }),
  );
  await until(async () => dataOf(await api.get(`/verifications/${id}`)).status === 'approved');
  decideAsInTestMode(server.databaseFile, clientId, false);
  const clara = await newPerson(server, {
    name: 'Clara Voss',
    email: 'clara@harbour-bank.example',
    role: 'client',
    clientId,
    address: '198.51.100.24',
  });
  await clara.comeBack();
  const { page } = clara;
  const onVerification = (form: string) => clara.open(`/dashboard/verifications/${id}/${form}`);

  await clara.open('/dashboard/retention');
  await keepPicture(page, 'dashboard-retention', { height: 640 });
  await onVerification('hold');
  await page.locator('[name=reason]').fill('Court order 7 O 12/26: keep until the end of the proceedings.');
  await keepPicture(page, 'dashboard-hold', { height: 640 });
  await onVerification('erase');
  await keepPicture(page, 'dashboard-erase', { height: 760 });
  await onVerification('data-copy');
  await press(page);
  await keepPicture(page, 'dashboard-released-copy', { height: 640 });

  const link = await page.locator('#export-link').inputValue();
  const subject = await newVisitor(server.baseUrl, { screen: 'phone', pixelRatio: 2 });
  await subject.page.goto(link);
  await subject.page.locator('[name=code]').fill(await page.locator('#export-code').inputValue());
  await keepPicture(subject.page, 'copy-download');
});
