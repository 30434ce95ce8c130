// Opens every page of the dashboard and the documentation, and decides a case: any page may have a word or a link of a missing part.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCountersign } from '@countersign/domain';
import { PART_NAMES } from '@countersign/domain/storage';
import { createApi, openApiDocument } from '@countersign/http';
import {
  createMemoryAccounts,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
  createTrustingIntake,
} from '@countersign/memory';
import { createNodeSecrets, createSystemClock, createUuidIds } from '@countersign/runtime';
import { newVisitor } from '@countersign/test-support/browser/browser';
import { leaving } from '@countersign/test-support/browser/leaving';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { namedParts } from '@countersign/test-support/pages/words-of-parts';
import { describeWith } from '@countersign/test-support/servers';
import { newJpeg } from '@countersign/test-support/service/new-files';
import { createWeb } from '@countersign/web';
import { Hono } from 'hono';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';

/** Paths of pages that need a part. */
const OF_PARTS = /webhook|retention|data-copies|dashboard\/face|\/phone\b|data-copy|\berase\b/i;

/** Returns the words of the page that name a part. The reference is left out: it describes values of the API, which stay. */
async function namedOn(page: Page): Promise<readonly string[]> {
  const isDescription = new URL(page.url()).pathname.startsWith('/docs/reference/');
  return isDescription ? [] : namedParts((await page.locator('body').textContent()) ?? '', PART_NAMES);
}

/** Answers a request of node:http. */
async function answer(
  app: Hono,
  origin: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming;
  const sent: Buffer[] = await incoming.toArray();
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(sent) };
  const response = await app.request(origin + url, { method, headers: named, ...body });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

/** Starts the service of an adopter whose storage has the ports of the core only. */
async function startCoreOnly() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { clients, apiKeys, verifications, dataKeys, audit } = createMemoryStorage();
  const [clock, ids] = [createSystemClock(), createUuidIds()];
  const secrets = createNodeSecrets([Buffer.alloc(32, 7)]);
  const accounts = createMemoryAccounts({ clock, ids });
  const countersign = createCountersign(
    {
      storage: { clients, apiKeys, verifications, dataKeys, audit },
      sealing: 'none',
      rateLimiter: createMemoryRateLimiter(clock),
      clock,
      ids,
      secrets,
      staff: accounts.staff,
      evidence: { store: createMemoryEvidenceStore(), intake: createTrustingIntake() },
    },
    { publicBaseUrl: origin, withoutErasure: true },
  );
  const faults: unknown[] = [];
  const onFault = (fault: unknown): void => void faults.push(fault);
  const clientAddress = () => '192.0.2.1';
  const pages = createWeb({
    countersign,
    signIn: accounts,
    secrets,
    clock,
    publicBaseUrl: origin,
    clientAddress,
    apiDocument: () => openApiDocument({ serverUrl: `${origin}/api/v1`, parts: countersign.parts }),
    onFault,
  });
  const api = createApi(countersign, { clientAddress, newRequestId: () => ids.next(), onFault });
  const app = new Hono().route('/api/v1', api).route('/', pages);
  server.on('request', (incoming, outgoing) => void answer(app, origin, incoming, outgoing).catch(onFault));
  return { origin, countersign, accounts, clock, faults };
}

describeWith(['chromium'], 'a service on a core-only storage', () => {
  it('creates, lists, reads, decides and withdraws, and shows nothing of a missing part', async () => {
    const { origin, countersign, accounts, clock, faults } = await startCoreOnly();
    expect([...countersign.parts]).toEqual([]);
    const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
    const { value: key } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const create = async (subjectReference: string): Promise<{ id: string; verificationUrl: string }> => {
      const body = JSON.stringify({ subjectType: 'kyc', subjectReference });
      const response = await fetch(`${origin}/api/v1/verifications`, { method: 'POST', headers, body });
      expect(response.status).toBe(201);
      const { data } = (await response.json()) as { data: { id: string; verificationUrl: string } };
      return data;
    };
    const statusOf = async (id: string): Promise<unknown> => {
      const response = await fetch(`${origin}/api/v1/verifications/${id}`, { headers });
      return ((await response.json()) as { data: { status: string } }).data.status;
    };
    const user = { email: 'olga@example.org', name: 'Olga', password: 'correct horse battery' };
    const owner = { id: 'olga', role: 'client', teamRole: 'owner', clientId: client.id } as const;
    accounts.add({ ...owner, email: user.email, name: user.name }, user.password);
    const withdrawn = await create('user_withdrawn');
    const opened = await create('user_opened');

    const subject = await newVisitor(origin);
    await subject.page.goto(opened.verificationUrl);
    expect(await subject.page.content()).not.toMatch(OF_PARTS);
    expect(await namedOn(subject.page)).toEqual([]);
    subject.complaints.expectNone();

    const signIn = async (userId: string) => {
      const visitor = await newVisitor(origin, { screen: 'desktop' });
      const [name = '', value = ''] = accounts
        .signedIn(userId, { withSecondFactor: true, confirmedAt: clock.now() })
        .split(/=(.*)/s);
      await visitor.context.addCookies([{ name, value, url: origin }]);
      return visitor;
    };

    const submitted = await create('user_submitted');
    const forms = await openSubjectForms(submitted.verificationUrl, 'kyc');
    await forms.walk({ file: () => new Blob([newJpeg()], { type: 'image/jpeg' }) });
    expect(await statusOf(submitted.id)).toBe('submitted');
    const reviewer = { id: 'rita', role: 'reviewer', teamRole: null, clientId: null } as const;
    accounts.add({ ...reviewer, email: 'rita@example.org', name: 'Rita' }, user.password);
    const review = await signIn(reviewer.id);
    await review.page.goto(`${origin}/review`);
    expect(await namedOn(review.page)).toEqual([]);
    await review.page.keyboard.press('j');
    await leaving(review.page, () => review.page.keyboard.press('Enter'));
    expect(new URL(review.page.url()).pathname).toBe(`/review/${submitted.id}`);
    expect(await namedOn(review.page)).toEqual([]);
    await review.page.keyboard.press('a');
    await leaving(review.page, () => review.page.keyboard.press('Enter'));
    expect(await review.page.getByRole('status').innerText()).toContain('Approved');
    expect(await statusOf(submitted.id)).toBe('approved');
    review.complaints.expectNone();

    const { page, complaints } = await signIn(owner.id);
    await page.goto(`${origin}/dashboard/verifications`);
    expect(await page.locator('main').innerText()).toContain('user_opened');
    await page.getByRole('link', { name: 'user_withdrawn' }).first().click();
    await page.waitForURL(`**/${withdrawn.id}`);
    await leaving(page, () =>
      page
        .getByRole('link', { name: /withdraw/i })
        .first()
        .click(),
    );
    await leaving(page, () => page.getByRole('button', { name: /withdraw/i }).click());
    expect(await statusOf(withdrawn.id)).toBe('rejected');

    const seen = new Set<string>();
    const open = [`${origin}/dashboard`, `${origin}/docs`];
    for (let address = open.pop(); address !== undefined; address = open.pop()) {
      if (seen.has(address)) continue;
      seen.add(address);
      const response = await page.goto(address);
      expect(response?.status(), address).toBe(200);
      expect(await namedOn(page), address).toEqual([]);
      const links = await page
        .locator('a[href]')
        .evaluateAll((found) => found.map((link) => String(Reflect.get(link, 'href'))));
      const isMenu = address === `${origin}/dashboard` || address === `${origin}/docs`;
      for (const link of links) {
        expect(new URL(link).pathname, `a link on ${address}`).not.toMatch(OF_PARTS);
        const isPage = link.startsWith(`${origin}/dashboard/`) || link.startsWith(`${origin}/docs/`);
        if (isMenu && isPage && !/export|#/.test(link)) open.push(link);
      }
    }
    expect(seen.size).toBeGreaterThan(8);
    for (const path of ['/dashboard/webhooks', '/dashboard/retention', '/docs/guides/webhooks'])
      expect((await page.goto(origin + path))?.status(), path).toBe(404);
    complaints.expectNone();
    expect(faults).toEqual([]);
  });
});
