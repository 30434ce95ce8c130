// The journey of a client's owner in a browser, by the links and samples that the overview shows.
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard, follow, press } from '@countersign/test-support/browser/dashboard';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import { operate } from '@countersign/test-support/installation/operator';
import { newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { run } from '@countersign/test-support/processes/child-process';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';

const LIST = 'Get started';

describeWith(['chromium', 'curl'], 'the first hour of a client’s owner', () => {
  let site: CountersignSite;

  beforeAll(async () => {
    site = await startSite();
  });

  const sampleOf = (page: Page, id: string) => page.locator(`[id="first-request.${id}"]`).innerText();

  /** Sends the request that the page shows with its new key. */
  async function sendSample(page: Page): Promise<void> {
    const [variables, curl] = [await sampleOf(page, 'variables'), await sampleOf(page, 'curl')];
    const { code, stdout } = await run('sh', ['-c', `${variables}\n${curl}`]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { status: 'pending' } });
  }

  it('the first hour of a client’s owner does what the overview lists, with the links and samples that it shows', async () => {
    const { client } = await operate(site.server, ({ clients }) =>
      clients.create({ name: 'Acme', plan: 'standard' }),
    );
    const owner = await newTeamMember(site.server, client.id);
    await owner.confirm();
    const { page, complaints } = await atTheDashboard(site, owner);
    const home = async () => {
      await page.goto(`${site.origin}/dashboard`);
      return wordsOf(page);
    };

    expect(await home()).toContain('0 of 4 done');
    await follow(page, 'Create a key');
    expect(new URL(page.url()).pathname).toBe('/dashboard/test/keys/new');
    await page.getByLabel('Name').fill('Shop');
    await page.locator('input[name="permissions"][value="*"]').check();
    await press(page, 'Create the key');
    await sendSample(page);

    expect(await home()).toContain('2 of 4 done');
    await page.getByText(LIST).click();
    await follow(page, 'Add a webhook endpoint');
    await page.getByLabel('Name').fill('Shop');
    await page.getByLabel('URL').fill('http://127.0.0.1:9/hooks');
    await press(page, 'Add the endpoint');
    expect(await home()).toContain('3 of 4 done');

    await follow(page, 'Test mode');
    await follow(page, 'API requests');
    expect(await wordsOf(page)).toMatch(/POST \/verifications\s+201/);

    await home();
    await page.getByText(LIST).click();
    await follow(page, 'Go live');
    expect(new URL(page.url()).pathname).toBe('/dashboard/keys/new');
    await page.getByLabel('Name').fill('Shop');
    await page.locator('input[name="permissions"][value="*"]').check();
    await press(page, 'Create the key');
    await sendSample(page);
    expect(await home()).not.toContain(LIST);
    complaints.expectNone();
  });
});
