// Backs up and restores an installation with releases of copies.
import { join } from 'node:path';
import { dataOf, idOf } from '@countersign/test-support/api/api-client';
import { givenApi } from '@countersign/test-support/installation/customer';
import { type ReleasedCopy, releaseCopy } from '@countersign/test-support/pages/data-copies';
import { newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { expect, it } from 'vitest';

const statusOf = async ({ port }: ServerProcess, { path, code }: ReleasedCopy): Promise<number> => {
  const origin = `http://localhost:${port}`;
  const body = new URLSearchParams({ code });
  const answer = await fetch(origin + path, { method: 'POST', headers: { Origin: origin }, body });
  await answer.arrayBuffer();
  return answer.status;
};

it('a restore revives no release of a copy: each ends at the first start, and requests stay', async () => {
  const env = { SECRET_KEYS: Buffer.alloc(32, 7).toString('base64') };
  const server = await startServer({ env });
  const { api, clientId } = await givenApi(server);
  const owner = await newTeamMember(server, clientId);
  await owner.confirm();
  const create = async (reference: string) => {
    const id = idOf(await api.post({ subjectType: 'kyc', subjectReference: reference }));
    return { id, page: `/dashboard/verifications/${id}` };
  };
  const [declined, waiting] = [await create('declined later'), await create('waiting')];
  for (const { id } of [declined, waiting]) {
    const { verificationUrl } = dataOf(await api.get(`/verifications/${id}`));
    const forms = await openSubjectForms(String(verificationUrl), 'kyc');
    expect((await forms.post('data-copy', new URLSearchParams())).status).toBe(303);
  }
  const copy = await releaseCopy(owner, `${declined.page}/data-copy`);
  const backup = join(temporaryFolder(), 'backup');
  await countersignHere(['backup', backup], server.env);
  expect(await statusOf(server, copy)).toBe(200);
  const refusal = await owner.post(`${declined.page}/decline-copy`, { declineReason: 'other' });
  expect(refusal.status).toBe(303);
  expect(await statusOf(server, copy)).toBe(404);
  await server.stop();

  await countersignHere(['restore', backup], server.env);
  const first = await startServer({ dataDir: server.dataDir, env });
  await first.says(/"count":1,"msg":"ended releases of copies after a restore"/);
  expect(await statusOf(first, copy)).toBe(404);
  const dashboard = await newTeamMember(first, clientId);
  expect(await (await dashboard.get('/dashboard/data-copies')).text()).toContain(waiting.id);
  await dashboard.confirm();
  const again = await releaseCopy(dashboard, `${declined.page}/data-copy`);
  await first.stop();

  const second = await startServer({ dataDir: server.dataDir, env });
  expect(await statusOf(second, again)).toBe(200);
  expect((await second.stop()).stdout).not.toContain('ended releases of copies');
});
