import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataOf, idOf } from '@countersign/test-support/api/api-client';
import { type Canaries, canariesOf } from '@countersign/test-support/installation/canaries';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { type ReleasedCopy, releaseCopy } from '@countersign/test-support/pages/data-copies';
import { newStaff, newTeamMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { readZip } from '@countersign/test-support/zip/read-zip';
import { beforeAll, describe, expect, it } from 'vitest';

let server: ServerProcess;
let client: GivenApi;
let owner: StaffForms;
let operator: StaffForms;
let reviewer: StaffForms;
let origin: string;

beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'trace' } });
  origin = `http://localhost:${server.port}`;
  client = await givenApi(server, { name: 'Acme Bank' });
  [owner, operator, reviewer] = await Promise.all([
    newTeamMember(server, client.clientId),
    newStaff(server, 'operator'),
    newStaff(server, 'reviewer'),
  ]);
  await Promise.all([owner.confirm(), operator.confirm()]);
});

const METADATA = 'tier gold of the client';

async function create(n: number): Promise<{ id: string; subject: Canaries }> {
  const subject = await canariesOf('kyc', n);
  const id = idOf(
    await client.api.post({
      subjectType: 'kyc',
      subjectReference: `reference of the client ${n}`,
      metadata: { note: METADATA },
    }),
  );
  return { id, subject };
}

async function formsOf(id: string) {
  const { verificationUrl } = dataOf(await client.api.get(`/verifications/${id}`));
  return openSubjectForms(String(verificationUrl), 'kyc');
}

async function submitted(n: number): Promise<{ id: string; subject: Canaries }> {
  const { id, subject } = await create(n);
  await (await formsOf(id)).walk(subject.content);
  return { id, subject };
}

/** What no log may have. */
const secrets: string[] = [];

async function release(staff: StaffForms, page: string): Promise<ReleasedCopy> {
  const released = await releaseCopy(staff, page);
  const { path, code } = released;
  secrets.push(path.slice(path.lastIndexOf('.') + 1), code, code.replace('-', ''));
  return released;
}

const asOwner = (id: string): Promise<ReleasedCopy> => release(owner, `/dashboard/verifications/${id}/data-copy`);

function post(path: string, code: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(origin + path, {
    method: 'POST',
    headers: { Origin: origin, 'Accept-Language': 'en', ...headers },
    body: new URLSearchParams({ code }),
  });
}

describe('a copy of a person’s data', () => {
  it('has everything that was planted, as a page, as data, and as files byte for byte', async () => {
    const { id, subject } = await submitted(1);
    await reviewer.act(id, 'note', { 'note.internalNote': 'looks like a mule' });
    const { path, code } = await asOwner(id);

    const answer = await post(path, code);
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
  });

  it('is requested by the subject, and released by an operator', async () => {
    const { id } = await submitted(2);
    const forms = await formsOf(id);
    for (let time = 0; time < 2; time += 1) {
      expect((await forms.post('data-copy', new URLSearchParams())).status).toBe(303);
      expect(await (await forms.get('data-copy')).text()).toContain('You have requested a copy of your data');
    }
    expect(await (await owner.get('/dashboard/data-copies')).text()).toContain(id);
    expect(await (await operator.get('/admin/data-copies')).text()).toContain(id);
    expect(await (await owner.get(`/dashboard/verifications/${id}`)).text()).toContain(
      'The person asked for a copy',
    );

    const { path, code } = await release(operator, `/review/${id}/data-copy`);
    expect(await (await owner.get('/dashboard/data-copies')).text()).not.toContain(id);
    const page = await (await fetch(origin + path)).text();
    expect(page).toContain('Acme Bank');
    expect(page).not.toContain('reference of the client');
    expect((await post(path, code.replace('-', '').toLowerCase())).status).toBe(200);
  });

  it('is closed by five wrong codes', async () => {
    const { id } = await create(3);
    const { path, code } = await asOwner(id);
    for (const left of ['4 more times', '3 more times', '2 more times', 'once more']) {
      const answer = await post(path, 'WRONG-CODES');
      expect(answer.status).toBe(422);
      expect(await answer.text()).toContain(`You can try ${left}`);
    }
    expect((await post(path, 'WRONG-CODES')).status).toBe(404);
    const late = await post(path, code);
    expect(late.status).toBe(404);
    expect(await late.text()).toContain('This link does not work');

    const again = await asOwner(id);
    expect(again.path).not.toBe(path);
    expect((await fetch(origin + path)).status).toBe(404);
    expect((await post(again.path, again.code)).status).toBe(200);
  });

  it('closes after five wrong codes that are sent at once', async () => {
    const { id } = await create(4);
    const { path, code } = await asOwner(id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(path, 'WRONG-CODES')));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(16);
    expect((await post(path, code)).status).toBe(404);
  });

  it('an unknown link, a forged one and a form of another site get nothing', async () => {
    const { id } = await create(5);
    const { path, code } = await asOwner(id);
    for (const wrong of [`${path}x`, path.slice(0, -1), '/export/0.0', '/export/nothing', `/export/${id}.x`]) {
      expect((await post(wrong, code)).status, wrong).toBe(404);
    }
    expect((await post(path, code, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(path, code)).status).toBe(200);
  });

  it('an erasure ends it, and its link is then unknown', async () => {
    const { id } = await create(6);
    const { path, code } = await asOwner(id);
    const erased = await client.api.request(`/verifications/${id}/data?withdraw=true`, { method: 'DELETE' });
    expect(erased.status).toBe(200);
    expect((await fetch(origin + path)).status).toBe(404);
    expect((await post(path, code)).status).toBe(404);
  });

  it('a file that is missing is named in the copy, which has the rest, and the log has its id', async () => {
    const before = new Set(filesBelow(join(server.dataDir, 'evidence')));
    const { id } = await submitted(7);
    const { path, code } = await asOwner(id);
    const added = filesBelow(join(server.dataDir, 'evidence')).filter((file) => !before.has(file));
    expect(added.length).toBeGreaterThan(2);
    const [lost = '', damaged = ''] = added;
    const content = readFileSync(lost);
    rmSync(lost);
    truncateSync(damaged, 10);

    const zip = async () => {
      const answer = await post(path, code);
      const files = await readZip(await answer.bytes());
      const textOf = (name: string) => String(files.find((file) => file.name === name)?.content);
      const json = JSON.parse(textOf('data.json')) as Record<'files' | 'unreadableFiles', { id: string }[]>;
      expect(files).toHaveLength(json.files.length + 2);
      return { page: textOf('index.html'), ...json };
    };
    const first = await zip();
    expect([first.files.length, first.unreadableFiles.length]).toEqual([added.length - 2, 2]);
    expect(first.page).toContain('Files that are not in this copy');
    for (const file of first.unreadableFiles) await server.says(new RegExp(`"fileId":"${file.id}"`));

    writeFileSync(lost, content);
    expect((await zip()).unreadableFiles).toHaveLength(1);
  });

  it('leaves no link and no code in the log', async () => {
    const { stdout, stderr } = await server.stop();
    expect(stdout.includes('/export/{link}')).toBe(true);
    expect(secrets.length).toBeGreaterThan(20);
    expect(secrets.filter((secret) => (stdout + stderr).includes(secret))).toEqual([]);
  });
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
