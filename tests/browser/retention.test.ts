// Holds and erases verifications in a browser, as a client and as an operator.
import { dataOf, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard, confirmIdentity, follow, press } from '@countersign/test-support/browser/dashboard';
import { fillIn } from '@countersign/test-support/browser/fields';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { card } from '@countersign/test-support/pages/pictures';
import { newMember, newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { handedIn } from './every-page/handed-in.ts';

const LIST = '/dashboard/verifications';
const RELATIONSHIP_END = '2026-01-10T12:00';

describeWith(['chromium'], 'the data of verifications', () => {
  let site: CountersignSite;
  let good: Blob;

  beforeAll(async () => {
    const [started, picture] = await Promise.all([startSite({ TRUST_PROXY: '1' }), card('good')]);
    site = started;
    good = new Blob([picture]);
  });

  const open = (page: Page, path: string) => page.goto(site.origin + path);
  const stateOf = async ({ api }: GivenApi, id: string) =>
    (dataOf(await api.get(`/verifications/${id}/details`)) as { data?: { state: string } }).data?.state;

  async function givenApproved(): Promise<GivenApi & { readonly id: string }> {
    const client = await givenApi(site.server);
    const reviewer = await newMember(site.server, { role: 'reviewer' });
    const { id } = await handedIn({ api: client.api, good }, 'kyc');
    await reviewer.act(id, 'approve');
    return { ...client, id };
  }

  describe.concurrent('are kept and erased by people', () => {
    it('an owner holds, releases, ends the relationship, erases, and opens what is hidden', async () => {
      const client = await givenApproved();
      const { id } = client;
      const owner = await newTeamMember(site.server, client.clientId);
      const { page, complaints } = await atTheDashboard(site, owner);
      await open(page, `${LIST}/${id}`);
      expect(await wordsOf(page)).toContain('First name');

      await follow(page, 'Put on hold …');
      await confirmIdentity(page, owner.password);
      await press(page, 'Put on hold');
      expect(await wordsOf(page)).toContain('Enter a reason');
      await fillIn(page.locator('main form'), { reason: 'Lawsuit 7', until: '2099-12-31T12:00' });
      await press(page, 'Put on hold');
      expect(await wordsOf(page)).toMatch(/is on hold[\s\S]*until 31 Dec 2099, 12:00 UTC[\s\S]*Lawsuit 7/);
      expect(await stateOf(client, id)).toBe('held');

      await follow(page, 'Release the hold …');
      await press(page, 'Yes, release the hold');
      expect(await wordsOf(page)).toContain('The hold is released.');
      expect(await stateOf(client, id)).toBe('kept');

      await follow(page, 'Set the customer relationship end …');
      await fillIn(page.locator('main form'), { endedAt: RELATIONSHIP_END });
      await press(page, 'Save');
      expect(await wordsOf(page)).toMatch(/The customer relationship end is saved[\s\S]*10 Jan 2026, 12:00 UTC/);
      await follow(page, 'Set the customer relationship end …');
      expect(await page.locator('[name=endedAt]').inputValue()).toBe(RELATIONSHIP_END);
      await fillIn(page.locator('main form'), { endedAt: '' });
      await press(page, 'Save');
      expect(await wordsOf(page)).toContain('The relationship continues.');

      await follow(page, 'Erase the data …');
      expect(await wordsOf(page)).toMatch(/The law requires the data to be kept until[\s\S]*What remains/);
      await press(page, 'Yes, erase the data');
      expect(await wordsOf(page)).toMatch(/The erasure is requested[\s\S]*The data is hidden/);
      expect(await wordsOf(page)).not.toContain('First name');
      expect(await stateOf(client, id)).toBe('restricted');

      await follow(page, 'Open the hidden data …');
      await fillIn(page.locator('main form'), { reason: 'The subject asked for a copy' });
      await press(page, 'Open the data');
      expect(await wordsOf(page)).toMatch(/You opened hidden data[\s\S]*First name/);
      await follow(page, 'Close the data');
      expect(await wordsOf(page)).not.toContain('First name');
      complaints.expectNone();
    });

    it('an owner erases an open verification, in German and without JavaScript', async () => {
      const client = await givenApi(site.server);
      const owner = await newTeamMember(site.server, client.clientId);
      await owner.confirm();
      const created = await client.api.post(newSubject('mira-1987'));
      const id = idOf(created);
      const { page, complaints } = await atTheDashboard(site, owner, { locale: 'de-DE', javaScript: false });
      await open(page, `${LIST}/${id}`);
      await follow(page, 'Daten löschen …');
      expect(await wordsOf(page)).toContain('Sie wird zuerst zurückgezogen');
      await press(page, 'Ja, Daten löschen');
      expect(await wordsOf(page)).toMatch(/Die Daten sind gelöscht[\s\S]*Gelöscht: /);
      expect(await stateOf(client, id)).toBe('erased');
      await page.goto(String(dataOf(created).verificationUrl));
      expect(await wordsOf(page)).toContain('Ihre Daten sind gelöscht');
      await open(page, LIST);
      expect(await wordsOf(page)).not.toContain('mira-1987');
      complaints.expectNone();
    });
  });
});
