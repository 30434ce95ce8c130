import { dataOf } from '@countersign/test-support/api/api-client';
import { releaseCopy } from '@countersign/test-support/pages/data-copies';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { givenClientTeam } from './client-team.ts';
import { pressCopy } from './copying.ts';
import { LONG, type Looking } from './looking.ts';
import { givenOperator } from './operator.ts';

const LIST = '/dashboard/verifications';

/** Checks the request for a copy of data, its release in the dashboard and the console, and the page of the download. */
export async function lookAtDataCopies({ site, newReader }: Looking): Promise<void> {
  const [client, operator] = await Promise.all([
    givenClientTeam(site.server, { name: LONG }),
    givenOperator({ site }),
  ]);
  const { api, owner } = client;
  const { id, verificationUrl } = dataOf(await api.post({ subjectType: 'kyc', subjectReference: LONG }));
  const url = String(verificationUrl);

  const reader = await newReader('de', owner);
  await reader.look('/dashboard/data-copies');
  await reader.takeSession(url);
  await reader.look(`/verify/${String(id)}/data-copy`);
  await (await openSubjectForms(url, 'kyc')).post('data-copy', new URLSearchParams());
  await reader.look(`/verify/${String(id)}/data-copy`);

  await reader.signInAs(owner);
  await reader.look('/dashboard');
  await reader.look('/dashboard/data-copies');
  await reader.look(`${LIST}/${String(id)}`);
  const decline = `${LIST}/${String(id)}/decline-copy`;
  await reader.look(decline);
  await reader.post(decline, {}, 422);
  await owner.post(decline, { declineReason: 'rights_of_others' });
  await reader.post(decline, { declineReason: 'rights_of_others' }, 409);
  await reader.inFull.look(`${LIST}/${String(id)}`);
  await reader.takeSession(url);
  await reader.look(`/verify/${String(id)}/data-copy`);
  await reader.signInAs(owner);
  await reader.look(`${LIST}/${String(id)}/data-copy`);
  await reader.post(`${LIST}/${String(id)}/data-copy`, {}, 200);
  await reader.change('copied', (page) => pressCopy(page, 'export-code'));
  await reader.inFull.look(`${LIST}/${String(id)}`);

  const { path } = await releaseCopy(owner, `${LIST}/${String(id)}/data-copy`);
  await reader.look(path);
  await reader.post(path, { code: 'WRONG' }, 422);
  await reader.look('/export/unknown.link', 404);
  await reader.inFull.post('/export/unknown.link', { code: 'WRONG' }, 404);
  await reader.takeSession(url);
  await reader.inFull.look(`/verify/${String(id)}/data-copy`);

  await reader.signInAs(operator);
  await reader.look('/admin/data-copies');
  await reader.look(`/review/${String(id)}/data-copy`);
  await reader.post(`/review/${String(id)}/data-copy`, {}, 200);
  await reader.look(`/review/${String(id)}/decline-copy`);
  await reader.post(`/review/${String(id)}/decline-copy`, {}, 422);
  await reader.look(`/review/${String(id)}`);
  reader.expectNothingWrong();
}
