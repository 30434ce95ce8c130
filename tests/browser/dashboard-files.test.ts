// Opens files of a verification in a browser, whose viewer shows them.
import { readFile } from 'node:fs/promises';
import type { Visitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard, confirmIdentity, follow, press } from '@countersign/test-support/browser/dashboard';
import { fillIn } from '@countersign/test-support/browser/fields';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { card } from '@countersign/test-support/pages/pictures';
import { newMember, newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { describeWith } from '@countersign/test-support/servers';
import { readZip } from '@countersign/test-support/zip/read-zip';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { handedIn } from './every-page/handed-in.ts';

const FRONT = 'Document, front';
const EVERYTHING = 'Download everything';
const OFFERED = /Download everything|View Document|Download Document/;

describeWith(['chromium'], 'the files of a verification', () => {
  let site: CountersignSite;
  let client: GivenApi;
  let id: string;

  beforeAll(async () => {
    site = await startSite({ TRUST_PROXY: '1' });
    client = await givenApi(site.server);
    const good = new Blob([await card('good')]);
    ({ id } = await handedIn({ api: client.api, good }, 'kyc'));
    await (await newMember(site.server, { role: 'reviewer' })).act(id, 'approve');
  });

  const open = async (page: Page): Promise<string> => {
    await page.goto(`${site.origin}/dashboard/verifications/${id}`);
    return wordsOf(page);
  };

  /** Views a picture in its own tab. @returns its width as the browser shows it */
  async function view(page: Page): Promise<number> {
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: `View ${FRONT}` }).click(),
    ]);
    const picture = tab.locator('img');
    await picture.waitFor();
    const width = await picture.evaluate((image) => Number(Reflect.get(image, 'naturalWidth')));
    await tab.close();
    return width;
  }

  /** Saves a file. @returns its name and content */
  async function save(page: Page, role: 'link' | 'button', name: string) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole(role, { name }).click()]);
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
  }

  async function expectToReadAll({ page, complaints }: Visitor): Promise<void> {
    expect(await open(page)).toContain(EVERYTHING);
    expect(await view(page)).toBeGreaterThan(100);
    const front = await save(page, 'link', `Download ${FRONT}`);
    expect(front.name).toBe('document_front.jpg');
    const zip = await save(page, 'button', EVERYTHING);
    expect(zip.name).toBe(`verification-${id}.zip`);
    const files = await readZip(zip.content);
    expect(files.find(({ name }) => name === 'files/document_front.jpg')?.content).toEqual(front.content);
    expect(files.at(-1)?.name).toBe('data.json');
    complaints.expectNone();
  }

  async function switchAccess(page: Page, isOn: boolean): Promise<void> {
    await page.goto(`${site.origin}/dashboard/settings`);
    await follow(page, 'Change access to files');
    await page.locator('[name=fileAccess][type=checkbox]').setChecked(isOn);
    await press(page, 'Save');
    expect(await wordsOf(page)).toContain(`Access to files is ${isOn ? 'on' : 'off'}`);
  }

  it('an owner switches access on, owners and agents read them, and hidden ones are opened with a reason', async () => {
    const member = await newTeamMember(site.server, client.clientId);
    const owner = await atTheDashboard(site, member);
    const { page, complaints } = owner;
    expect(await open(page)).toContain(FRONT);
    expect(await wordsOf(page)).not.toMatch(OFFERED);

    await page.goto(`${site.origin}/dashboard/settings`);
    await follow(page, 'Change access to files');
    await confirmIdentity(page, member.password);
    await switchAccess(page, true);
    await expectToReadAll(owner);
    await expectToReadAll(await atTheDashboard(site, await newTeamMember(site.server, client.clientId, 'agent')));
    const viewer = await atTheDashboard(site, await newTeamMember(site.server, client.clientId, 'viewer'));
    expect(await open(viewer.page)).not.toMatch(OFFERED);

    await open(page);
    await follow(page, 'Erase the data …');
    await press(page, 'Yes, erase the data');
    expect(await wordsOf(page)).not.toMatch(OFFERED);
    await follow(page, 'Open the hidden data …');
    await fillIn(page.locator('main form'), { reason: 'The police ask for the picture' });
    await press(page, 'Open the data');
    expect(await wordsOf(page)).toContain('for 15 minutes');
    expect(await view(page)).toBeGreaterThan(100);
    expect((await save(page, 'link', `Download ${FRONT}`)).name).toBe('document_front.jpg');
    expect(await wordsOf(page)).not.toContain(EVERYTHING);

    await switchAccess(page, false);
    await open(page);
    await follow(page, 'Open the hidden data …');
    await fillIn(page.locator('main form'), { reason: 'The police ask for the picture' });
    await press(page, 'Open the data');
    expect(await wordsOf(page)).toContain(FRONT);
    expect(await wordsOf(page)).not.toMatch(OFFERED);
    for (const seen of [complaints, viewer.complaints]) seen.expectNone();
  });
});
