// Two servers on one Postgres answer a reviewer by turns, and pictures are decoded.
import { createApiClient } from '@countersign/test-support/api/api-client';
import { newVisitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, siteOf } from '@countersign/test-support/browser/countersign-site';
import { decide, picturesOf } from '@countersign/test-support/browser/review-console';
import { setPassword, signOut } from '@countersign/test-support/browser/sign-in';
import { cookieOf, givenStaff, newStaffVisitor } from '@countersign/test-support/browser/staff';
import { type Instances, startInstances } from '@countersign/test-support/installation/instances';
import { startLoadBalancer } from '@countersign/test-support/installation/load-balancer';
import { givenKey, operate } from '@countersign/test-support/installation/operator';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

describeWith(['postgres', 'chromium'], 'reviewers whose requests alternate between two instances', () => {
  let postgres: PostgresServer;
  let instances: Instances;
  let site: CountersignSite;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
    const balancer = await startLoadBalancer();
    instances = await startInstances(2, {
      DATABASE_URL: await postgres.createDatabase(),
      PUBLIC_BASE_URL: balancer.origin,
      EVIDENCE_URL: `file://${temporaryFolder()}`,
    });
    balancer.spreadOver(instances);
    site = await siteOf(instances[0], balancer.origin);
  });
  afterAll(() => postgres.stop());

  /** Returns the status that each instance reports. */
  async function statusesOf(id: string): Promise<unknown[]> {
    const key = await givenKey(instances[0], site.clientId);
    const answers = instances.map(({ baseUrl }) => createApiClient(baseUrl, key).get(`/verifications/${id}`));
    return (await Promise.all(answers)).map(({ body }) => body.data?.status);
  }

  it('sign in, see the pictures, decide and sign out', async () => {
    const { id } = await site.createAnswered('kyc');
    const { name, signInUrl } = await site.invite('reviewer');
    const { page, context, complaints } = await newVisitor(site.origin, { screen: 'desktop' });

    await page.goto(signInUrl);
    await setPassword(page);
    await page.locator(`[data-case][href$="${id}"]`).click();
    await page.getByRole('heading', { name: 'Pictures' }).waitFor();
    expect(await picturesOf(page)).toHaveLength(4);
    await decide(page, 'approve', [['internalNote', 'All well']]);

    await page.goto(`${site.origin}/review/${id}`);
    expect(await page.locator('.timeline').textContent()).toContain(`Approved by ${name}`);
    expect(await statusesOf(id)).toEqual(['approved', 'approved']);
    const Cookie = (await context.cookies()).map((cookie) => `${cookie.name}=${cookie.value}`).join('; ');
    const console = ({ origin }: { origin: string }) =>
      fetch(`${origin}/review`, { redirect: 'manual', headers: { Cookie } });
    for (const instance of instances) expect((await console(instance)).status).toBe(200);
    // A case has no menu.
    await page.goto(`${site.origin}/review`);
    await signOut(page);
    for (const instance of instances) expect((await console(instance)).status).toBe(303);
    complaints.expectNone();
  });

  it('decide concurrently: one succeeds, and the other is told so on the way to the next case', async () => {
    const reviewers = [await givenStaff(site), await givenStaff(site)] as const;
    const { page } = await newStaffVisitor(site, reviewers[0]);
    for (let round = 0; round < 2; round++) {
      const { id } = await site.createAnswered('kyc');
      await page.goto(`${site.origin}/review/${id}`);
      const expectedVersion = await page.locator('#act-approve [name=expectedVersion]').inputValue();
      const decideAt = (n: 0 | 1, act: string, decision: Record<string, string> = {}) =>
        fetch(`${(instances[n] ?? instances[0]).origin}/review/${id}/${act}`, {
          method: 'POST',
          redirect: 'manual',
          headers: { Origin: site.origin, Cookie: cookieOf(reviewers[n]) },
          body: new URLSearchParams({ expectedVersion, confirmed: 'yes', ...decision }),
        });

      const answers = await Promise.all([
        decideAt(0, 'approve'),
        decideAt(1, 'reject', { 'reject.reasonCodes': 'selfie_mismatch' }),
      ]);

      const places = answers.map(({ headers }) => headers.get('Location') ?? '');
      const isLate = (place: string) => place.endsWith(`?done=late&of=${id}`);
      expect(places.filter(isLate)).toHaveLength(1);
      const winner = isLate(places[0] ?? '') ? 1 : 0;
      const status = ['approved', 'rejected'][winner];
      expect(await statusesOf(id)).toEqual([status, status]);
      expect((await site.details(id)).history.map((entry) => entry.status)).toEqual([
        'pending',
        'submitted',
        status,
      ]);
    }
  });

  it('reviewers whose requests alternate between two instances have ten password attempts across both instances', async () => {
    const { email } = await site.invite('reviewer');
    const attempt = async (n: number) => {
      const { origin } = instances[n % 2] ?? instances[0];
      const body = new URLSearchParams({ email, password: 'not the password at all' });
      return (await fetch(`${origin}/account/sign-in`, { method: 'POST', body, headers: { Origin: site.origin } }))
        .status;
    };

    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push(await attempt(n));

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429, 429]);
  });

  it('leave one intact audit log', async () => {
    const reviewers = [await givenStaff(site), await givenStaff(site)] as const;
    const { id } = await site.create('kyc');
    const open = (n: number) => {
      const { origin } = instances[n % 2] ?? instances[0];
      const headers = { Cookie: cookieOf(reviewers[n % 4 < 2 ? 0 : 1]) };
      return fetch(`${origin}/review/${id}`, { headers });
    };

    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => open(n)));

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await operate(instances[0], async ({ verifyAudit, auditLines }) => {
      expect(await verifyAudit()).toMatchObject({ outcome: 'intact' });
      const opened = (await auditLines()).filter(({ targetId }) => targetId === id);
      expect(opened).toHaveLength(60);
      expect(new Set(opened.map(({ actor }) => actor.id)).size).toBe(2);
    });
  });
});
