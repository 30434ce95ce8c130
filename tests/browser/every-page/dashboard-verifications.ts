import { atOnce, idOf } from '@countersign/test-support/api/api-client';
import { change } from '@countersign/test-support/installation/database-file';
import { ANSWERS, personOf } from '@countersign/test-support/pages/page-answers';
import { expect } from 'vitest';
import { type ClientTeam, givenClientTeam } from './client-team.ts';
import { pressCopy } from './copying.ts';
import { handedIn } from './handed-in.ts';
import { LONG, type Looking } from './looking.ts';

const LIST = '/dashboard/verifications';
const NEW = `${LIST}/new`;

/** Checks the list, a verification in each state and its forms. */
export async function lookAtVerifications({ site, good, newReader }: Looking): Promise<void> {
  const client = await givenClientTeam(site.server, { plan: 'enterprise' });
  const { api, owner } = client;
  const material = { api, good };
  const longName = { name: { ...ANSWERS.kyc.name, firstName: 'Анна 安娜 آنا', lastName: LONG } };
  const [, person, business, pending, expired, withdrawn] = await Promise.all([
    atOnce(MANY, (index) => create(client, { subjectReference: `${OTHER_SCRIPTS} ${index}` })),
    handedIn(material, 'kyc', { answers: longName }),
    handedIn(material, 'kyb', {
      answers: { owners: { ...ANSWERS.kyb.owners, ...personOf('beneficialOwners.0', LONG) } },
    }),
    create(client, { subjectReference: LONG, metadata: { note: LONG, nested: { list: [1, { deep: true }] } } }),
    create(client, { subjectReference: 'expired' }),
    create(client, { subjectReference: 'withdrawn' }),
  ]);
  await owner.post(`${LIST}/${withdrawn}/withdraw`);
  const { databaseFile } = site.server;
  change(databaseFile, 'UPDATE verifications SET link_expires_at = 1 WHERE id = ?', expired);

  const reader = await newReader('en', owner);
  await reader.look(LIST);
  await reader.look(await nextPageOf(client));
  await reader.look(`${LIST}?status=approved&type=kyb&prefix=${LONG}&from=2020-01-31`);
  await reader.look(`${LIST}?status=${LONG}&type=ship&from=31&until=then`, 400);
  await reader.inFull.look(`${LIST}?after=nothing`, 400);

  await reader.look(`${LIST}/${pending}?done=created`);
  await reader.change('copied', (page) => pressCopy(page, 'verification-link'));
  await reader.look(`${LIST}/${pending}/withdraw`);
  await reader.look(`${LIST}/${pending}/renew-link`);
  await reader.look(`${LIST}/${person.id}`);
  await reader.look(`${LIST}/${business.id}`);
  await reader.look(`${LIST}/${expired}`);
  await reader.look(`${LIST}/${withdrawn}?done=withdrawn`);
  await reader.post(`${LIST}/${withdrawn}/withdraw`, {}, 409);
  await reader.post(`${LIST}/${withdrawn}/renew-link`, {}, 409);
  await reader.inFull.look(`${LIST}/of-nobody`, 404);

  await lookAtForm();
  reader.expectNothingWrong();

  async function lookAtForm(): Promise<void> {
    const formId = 'a'.repeat(32);
    const wanted = { formId, subjectType: 'kyc', subjectReference: 'by hand' };
    expect((await owner.post(NEW, wanted)).status).toBe(303);
    await reader.look(NEW);
    await reader.post(NEW, { formId, metadata: '{ "a": 1, }' }, 422);
    await reader.post(NEW, { ...wanted, formId: 'b'.repeat(32) }, 409);
    await reader.inFull.post(NEW, { ...wanted, subjectReference: 'another' }, 409);
    await reader.inFull.post(NEW, {}, 422);
  }
}

/** More verifications than one page lists. */
const MANY = 30;
const OTHER_SCRIPTS = 'клиент 客户 عميل';

async function create({ api }: ClientTeam, body: object): Promise<string> {
  return idOf(await api.post({ subjectType: 'kyc', ...body }));
}

async function nextPageOf({ owner }: ClientTeam): Promise<string> {
  const page = await (await owner.get(LIST)).text();
  const next = /href="([^"]+)" rel="next"/.exec(page)?.[1];
  if (next === undefined) throw new Error('The list has only one page');
  return next.replaceAll('&amp;', '&');
}

/** Checks the export page before, during and after a download, cancelled and interrupted too. */
export async function lookAtExport({ site, newReader }: Looking): Promise<void> {
  const client = await givenClientTeam(site.server);
  await create(client, { subjectReference: LONG });
  const reader = await newReader('de', client.owner);
  const path = `${LIST}/export`;
  await reader.look(`${path}.csv?status=${LONG}`, 400);
  await reader.look(`${path}?prefix=nobody`);
  await reader.look(path);
  const file = '**/export.csv*';
  await reader.change('running', async (page) => {
    await page.route(file, () => {
      // Never responds, so that the download keeps running.
    });
    await page.locator('[data-export] [type=submit]').click();
    await page.locator('progress').waitFor();
  });
  await reader.change('cancelled', async (page) => {
    await page.locator('[data-export-cancel]').click();
    await page.locator('progress').waitFor({ state: 'hidden' });
  });
  await reader.change('broken off', async (page) => {
    await page.unroute(file);
    const headers = { 'Content-Type': 'text/csv; charset=utf-8', 'X-Total-Count': '2000' };
    await page.route(file, (route) => route.fulfill({ headers, body: 'id,type\r\n1,kyc\r\n2,ky' }));
    await page.locator('[data-export] [type=submit]').click();
    await page.locator('progress').waitFor({ state: 'hidden' });
  });
  await reader.change('done', async (page) => {
    await page.unroute(file);
    await Promise.all([page.waitForEvent('download'), page.locator('[data-export] [type=submit]').click()]);
    await page.locator('progress').waitFor({ state: 'hidden' });
  });
  reader.expectNothingWrong();
}
