// A subject answers each step, and their copy is made and read.
import { dataOf, idOf } from '@countersign/test-support/api/api-client';
import { canariesOf } from '@countersign/test-support/installation/canaries';
import { givenApi } from '@countersign/test-support/installation/customer';
import { askForEverything } from '@countersign/test-support/installation/operator';
import { releaseCopy } from '@countersign/test-support/pages/data-copies';
import { newStaff, newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { startServer } from '@countersign/test-support/processes/server-process';
import { readZip } from '@countersign/test-support/zip/read-zip';
import { expect, it } from 'vitest';

const METADATA = 'tier gold of the client';

it('a copy of a person’s data has everything that was planted, as a page, as data, and as files; the log has no link and no code', async () => {
  const server = await startServer({ env: { LOG_LEVEL: 'trace' } });
  const origin = `http://localhost:${server.port}`;
  const client = await givenApi(server, { name: 'Acme Bank' });
  await askForEverything(server, client.clientId);
  const owner = await newTeamMember(server, client.clientId);
  const reviewer = await newStaff(server, 'reviewer');
  await owner.confirm();
  const subject = await canariesOf('kyc', 1);
  const created = await client.api.post({
    subjectType: 'kyc',
    subjectReference: 'reference of the client 1',
    metadata: { note: METADATA },
  });
  const id = idOf(created);
  await (await openSubjectForms(String(dataOf(created).verificationUrl), 'kyc')).walk(subject.content);
  await reviewer.act(id, 'note', { 'note.internalNote': 'looks like a mule' });
  const { path, code } = await releaseCopy(owner, `/dashboard/verifications/${id}/data-copy`);

  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { Origin: origin, 'Accept-Language': 'en' },
    body: new URLSearchParams({ code }),
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/zip');
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="personal-data-\d{4}-\d\d-\d\d\.zip"$/,
  );
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-length')).toBeNull();
  const files = new Map(
    (await readZip(await answer.bytes())).map(({ name, content }) => [name, content] as const),
  );

  const details = dataOf(await client.api.get(`/verifications/${id}/details`));
  const json = JSON.parse(String(files.get('data.json'))) as {
    verification: object;
    files: { path: string; id: string; sha256: string }[];
  };
  const { submittedData, metadata, subjectReference, history } = details;
  expect(json.verification).toMatchObject({ id, submittedData, metadata, subjectReference, history });
  const page = unescaped(String(files.get('index.html')));
  const data = textsIn(json);
  const planted = Object.values(subject.content.answers ?? {}).flatMap((typed) => Object.values(typed));
  const texts = planted.filter((text) => / /.test(text));
  expect(texts.length).toBeGreaterThan(2);
  for (const text of [...texts, 'reference of the client 1', METADATA]) {
    expect(data).toContain(text);
    expect(page).toContain(text);
  }
  expect([page, ...data].filter((text) => text.includes('mule'))).toEqual([]);

  const stored = details.documents as { id: string; sha256: string }[];
  expect(json.files.map(({ sha256 }) => sha256)).toEqual(stored.map(({ sha256 }) => sha256));
  for (const file of json.files) {
    const kept = await reviewer.get(`/review/${id}/files/${file.id}`);
    expect(files.get(file.path), file.path).toEqual(Buffer.from(await kept.arrayBuffer()));
  }
  expect([...files.keys()].toSorted()).toEqual(
    ['index.html', 'data.json', ...json.files.map((file) => file.path)].toSorted(),
  );

  const { stdout, stderr } = await server.stop();
  expect(stdout.includes('/export/{link}')).toBe(true);
  const secrets = [path.slice(path.lastIndexOf('.') + 1), code, code.replace('-', '')];
  expect(secrets.filter((secret) => (stdout + stderr).includes(secret))).toEqual([]);
});

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

function unescaped(html: string): string {
  return html.replace(/&(lt|gt|quot|#39|amp);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

/** Every text in a value of JSON. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
