// Walks from a key to a webhook by clicks in a browser.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createApiClient, dataOf } from '@countersign/test-support/api/api-client';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard, follow, press, rowOf } from '@countersign/test-support/browser/dashboard';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import { operate } from '@countersign/test-support/installation/operator';
import { newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { until } from '@countersign/test-support/processes/until';
import { describeWith } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

describeWith(['chromium'], 'an owner in test mode', () => {
  let site: CountersignSite;
  let receiver: Server;
  const received: { readonly type: string }[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      void text(request).then((body) => {
        received.push(JSON.parse(body) as { type: string });
        response.end();
      });
    });
    receiver.listen(0, '127.0.0.1');
    await Promise.all([once(receiver, 'listening'), startSite().then((started) => (site = started))]);
  });
  afterAll(() => receiver.close());

  it('comes from a key to a webhook by clicking, without a subscription; live mode stays empty', async () => {
    const { client } = await operate(site.server, ({ clients }) => clients.create({ name: 'Acme', plan: 'none' }));
    const owner = await newTeamMember(site.server, client.id);
    await owner.confirm();
    const { page, complaints } = await atTheDashboard(site, owner);
    const pathOf = () => new URL(page.url()).pathname;

    await page.goto(`${site.origin}/dashboard`);
    await follow(page, 'Test mode');
    expect(pathOf()).toBe('/dashboard/test');
    expect(await page.title()).toContain('Test mode');

    await follow(page, 'Webhooks');
    await follow(page, 'Add an endpoint');
    await page.getByLabel('Name').fill('Shop');
    const { port } = receiver.address() as AddressInfo;
    await page.getByLabel('URL').fill(`http://127.0.0.1:${port}/hooks`);
    await press(page, 'Add the endpoint');

    await follow(page, 'API keys');
    await follow(page, 'Create a key');
    await page.getByLabel('Name').fill('Tests');
    await page.locator('input[name="permissions"][value="*"]').check();
    await press(page, 'Create the key');
    const key = await page.locator('#new-key').inputValue();
    const api = createApiClient(site.server.baseUrl, key);
    const body = { subjectType: 'kyc', subjectReference: 'user_1', metadata: { sandboxOutcome: 'approved' } };
    const created = await api.post(body);
    expect([created.status, created.headers.get('X-Countersign-Mode')]).toEqual([201, 'test']);
    const { id } = dataOf(created);

    await until(() => received.some(({ type }) => type === 'verification.approved'));
    await follow(page, 'Verifications');
    expect(await rowOf(page, 'user_1')).toContain('Approved');
    await follow(page, 'user_1');
    expect(pathOf()).toBe(`/dashboard/test/verifications/${String(id)}`);

    await follow(page, 'Live mode');
    expect(pathOf()).toBe('/dashboard/verifications');
    expect(await wordsOf(page)).not.toContain('user_1');
    await follow(page, 'API keys');
    expect(await wordsOf(page)).not.toContain('Tests');
    complaints.expectNone();
  });

  it('keeps two tabs in two modes apart', async () => {
    const { client } = await operate(site.server, ({ clients }) => clients.create({ name: 'Acme', plan: 'none' }));
    const owner = await newTeamMember(site.server, client.id);
    await owner.confirm();
    const { page, context, complaints } = await atTheDashboard(site, owner);
    const other = await context.newPage();
    await page.goto(`${site.origin}/dashboard/keys/new`);
    await other.goto(`${site.origin}/dashboard/test/keys/new`);
    for (const [tab, name] of [
      [page, 'Live key'],
      [other, 'Test key'],
    ] as const) {
      await tab.getByLabel('Name').fill(name);
      await tab.locator('input[name="permissions"][value="*"]').check();
    }
    await press(other, 'Create the key');
    await press(page, 'Create the key');
    await follow(page, 'API keys');
    await follow(other, 'API keys');

    expect(await wordsOf(page)).toContain('Live key');
    expect(await wordsOf(page)).not.toContain('Test key');
    expect(await wordsOf(other)).toContain('Test key');
    expect(await wordsOf(other)).not.toContain('Live key');
    complaints.expectNone();
  });
});
