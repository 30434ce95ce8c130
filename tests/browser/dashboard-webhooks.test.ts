// Waits in a browser until a webhook was delivered.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '@countersign/client';
import { newSubject } from '@countersign/test-support/api/api-client';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard, follow, press, rowOf } from '@countersign/test-support/browser/dashboard';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import { givenApi } from '@countersign/test-support/installation/customer';
import { newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { until } from '@countersign/test-support/processes/until';
import { describeWith } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

describeWith(['chromium'], 'an owner with an endpoint', () => {
  let site: CountersignSite;
  let receiver: Server;
  const received: Received[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers, body });
        response.end('<b>thank you</b>');
      });
    });
    receiver.listen(0, '127.0.0.1');
    await Promise.all([once(receiver, 'listening'), startSite().then((started) => (site = started))]);
  });
  afterAll(() => receiver.close());

  it('adds it, sends a test, sees a delivery and sends it again', async () => {
    const { clientId, api } = await givenApi(site.server);
    const owner = await newTeamMember(site.server, clientId);
    await owner.confirm();
    const { page, complaints } = await atTheDashboard(site, owner, { javaScript: false });

    await page.goto(`${site.origin}/dashboard`);
    await follow(page, 'Webhooks');
    await follow(page, 'Add an endpoint');
    await page.getByLabel('Name').fill('Shop');
    const { port } = receiver.address() as AddressInfo;
    await page.getByLabel('URL').fill(`http://127.0.0.1:${port}/hooks`);
    await press(page, 'Add the endpoint');
    const secret = await page.locator('#webhook-secret').inputValue();
    const payloads = () =>
      Promise.all(received.map(async (one) => (await verifyWebhook(one, secret)).payload.type));

    await follow(page, 'Send a test');
    await press(page, 'Send the test');
    expect(await wordsOf(page)).toContain('The endpoint accepted the test');
    expect(await wordsOf(page)).toContain('<b>thank you</b>');
    expect(await payloads()).toEqual(['webhook.test']);

    await api.post(newSubject('user_1'));
    await until(async () => received.length === 2);
    await follow(page, /^Endpoint$/);
    await until(async () => {
      await page.reload();
      return (await rowOf(page, 'verification.created')).includes('Delivered');
    });
    await follow(page, 'verification.created');
    expect(await wordsOf(page)).toContain('200');
    await follow(page, 'Send again');
    await press(page, 'Send again');
    await until(async () => received.length === 3);
    expect(await payloads()).toEqual(['webhook.test', 'verification.created', 'verification.created']);
    expect(received[2]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id']);
    complaints.expectNone();
  });
});
