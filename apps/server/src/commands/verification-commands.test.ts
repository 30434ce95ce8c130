// Starts the command line for each case, on a served installation.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Countersign } from '@countersign/domain';
import { createFileErasureLog, createFileEvidenceStore } from '@countersign/evidence';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { describe, expect, it } from 'vitest';
import { createIn, inCore, PUBLIC_BASE_URL } from '../../test-support/core.ts';
import { newOperator, operatorOfEachTest } from '../../test-support/operator.ts';

const SECRET = randomBytes(32);
const environment = { PUBLIC_BASE_URL, SECRET_KEYS: SECRET.toString('base64') };

const operator = operatorOfEachTest(() => environment);

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly verificationUrl: string;
}

async function givenVerification(): Promise<Shown> {
  const { id: clientId } = await operator.newClient();
  return inServer((core) => createIn(core, clientId));
}

/** Runs work as a server on the same data would. */
async function inServer<T>(work: (core: Countersign) => Promise<T>): Promise<T> {
  return inCore(await createSqliteStorage({ file: join(operator.dataDir, 'countersign.db') }), SECRET, work);
}

const opens = (url: string) => inServer((core) => core.subject.open(url.split('/').at(-1) ?? ''));

describe('verification renew-link', () => {
  it('prints a new link and invalidates the previous one', async () => {
    const { id, verificationUrl } = await givenVerification();

    const renewed = await operator.json<Shown>(`verification renew-link ${id}`);

    expect(renewed).toMatchObject({ id, status: 'pending' });
    expect(renewed.verificationUrl).toMatch(/^https:\/\/verify\.example\/verify\//);
    expect(renewed.verificationUrl).not.toBe(verificationUrl);
    expect((await opens(renewed.verificationUrl)).access.verificationId).toBe(id);
    await expect(opens(verificationUrl)).rejects.toMatchObject({ code: 'LINK_INVALID' });
    expect((await operator.run(`verification renew-link ${id}`)).out).toMatch(/^https:\S+\n$/);
  });
});

describe('verification withdraw', () => {
  it('rejects the verification, and refuses to run again', async () => {
    const { id } = await givenVerification();

    const withdrawn = await operator.json<Shown>(`verification withdraw ${id}`);

    expect(withdrawn).toMatchObject({ id, status: 'rejected', resolvedAt: expect.any(String) });
    const again = await operator.run(`verification withdraw ${id}`);
    expect(again).toMatchObject({
      out: '',
      err: 'countersign: This is not possible while the verification is rejected. Read the verification again. (ILLEGAL_TRANSITION)\n',
    });
    expect(again.exitCode).not.toBe(0);
    expect((await operator.run(`verification renew-link ${id}`)).exitCode).not.toBe(0);
  });
});

interface Data {
  readonly id: string;
  readonly state: string;
  readonly until: string | null;
}

describe('verification hold', () => {
  it('prevents an erasure until release-hold, then the erasure goes on', async () => {
    const { id } = await givenVerification();
    await operator.json(`verification withdraw ${id}`);

    const until = '2999-01-01T00:00:00.000Z';
    const held = await operator.json<Data>(`verification hold ${id} --reason`, 'court order', '--until', until);
    expect(held).toEqual({ id, state: 'held', until });
    expect(await operator.json<Data>(`verification erase ${id} --yes`)).toEqual({ id, state: 'held', until });
    expect(await operator.json<Data>(`verification release-hold ${id}`)).toMatchObject({
      id,
      state: 'restricted',
    });
    const erased = { id, state: 'erased', until: null };
    expect(await operator.json<Data>(`verification erase ${id} --yes`)).toEqual(erased);
    expect(await operator.json<Data>(`verification erase ${id} --yes`)).toEqual(erased);
    expect((await operator.run(`verification hold ${id} --reason late`)).err).toBe(
      'countersign: The data of this verification was erased. It cannot be changed any more. (ILLEGAL_TRANSITION)\n',
    );
  });
});

describe('verification erase', () => {
  it('writes the erasure log, deletes the files, and leaves a receipt that audit verify finds', async () => {
    const { id } = await givenVerification();
    const files = join(operator.dataDir, 'evidence');
    const place = await inServer(async (core) => ({
      clientId: (await core.clients.list())[0]?.client.id ?? '',
      verificationId: id,
      fileId: '0198c0de-0000-7000-8000-000000000001',
    }));
    const store = createFileEvidenceStore({ directory: files });
    await store.put(place, new Uint8Array([1]));

    expect((await operator.run(`verification erase ${id} --yes`)).err).toContain('(ILLEGAL_TRANSITION)');
    const erased = await operator.json<Data>(`verification erase ${id} --withdraw --yes`);

    expect(erased).toEqual({ id, state: 'erased', until: null });
    expect(await store.get(place)).toBeNull();
    const log = createFileErasureLog({ directory: join(operator.dataDir, 'erasures') });
    expect(await log.read(0, 10)).toMatchObject([{ number: 1, verificationId: id }]);
    const { exitCode } = await operator.run('audit verify');
    expect(exitCode).toBe(0);
  });

  it('verification erase is in the monthly report of its client: CSV, a page, and JSON', async () => {
    const { id } = await givenVerification();
    await operator.json(`verification erase ${id} --withdraw --yes`);
    const log = createFileErasureLog({ directory: join(operator.dataDir, 'erasures') });
    const month = (await log.read(0, 1))[0]?.at.toISOString().slice(0, 7) ?? '';
    const [{ id: clientId }] = await operator.json<[{ id: string }]>('client list');
    const report = (...more: string[]) =>
      operator.run(`client retention-report ${clientId} --month ${month}`, ...more);

    const lines = (await report()).out.split('\r\n');
    expect(lines).toEqual([
      'number,verificationId,at,rule,steps,files,events,hash,finishedAt',
      expect.stringMatching(new RegExp(`^1,${id},.*,requested,0,0,3,[0-9a-f]{64},`)),
      '',
    ]);
    const file = join(operator.dataDir, 'report.html');
    expect((await report('--html', '--output', file)).out).toBe(
      `The report of Acme for ${month} is in ${file} (erasures: 1)\n`,
    );
    expect(readFileSync(file, 'utf8')).toContain(id);
    expect((await report('--output', file)).err).toMatch(/EEXIST/);
    expect(JSON.parse((await report('--json')).out)).toMatchObject({
      total: 1,
      totals: { requested: 1 },
      erasures: [{ number: 1, verificationId: id }],
    });
    expect((await operator.run(`client retention-report ${clientId} --month May`)).err).toBe(
      "countersign: option '--month': must be a month such as 2026-11\n",
    );
  });

  it('needs --yes where no terminal is, and the word yes at one', async () => {
    const { id } = await givenVerification();
    await operator.json(`verification withdraw ${id}`);
    const refused = await operator.run(`verification erase ${id}`);
    expect([refused.exitCode, refused.err]).toEqual([2, expect.stringMatching(/ Give --yes to confirm\n$/)]);

    const asked: string[] = [];
    const answering = (answer: string) =>
      operator.runAtTerminal(
        async (question) => {
          asked.push(question);
          return answer;
        },
        'verification',
        'erase',
        id,
      );
    expect((await answering('y')).err).toBe('countersign: not confirmed, so nothing was changed\n');
    expect((await answering('yes')).out).toBe(`Verification ${id}: its data is erased\n`);
    expect(asked[0]).toBe(
      'The data of this verification will be erased. This cannot be undone. Type "yes" to continue: ',
    );
  });
});

describe('verification export', () => {
  it('prints a link and a code that open the data, and replaces those of an earlier release', async () => {
    const { id } = await givenVerification();
    const first = await operator.json<{ link: string; code: string }>(`verification export ${id}`);
    const download = ({ link, code }: typeof first) =>
      inServer((core) => core.exports.download({ link: link.split('/').at(-1) ?? '', code }));
    expect((await download(first)).data.verification.id).toBe(id);

    const { out } = await operator.run(`verification export ${id}`);

    const [link = '', code = ''] = out.split('\n');
    expect(link).toMatch(/^https:\/\/verify\.example\/export\//);
    expect((await download({ link, code: code.replace('Code: ', '') })).data.verification.id).toBe(id);
    await expect(download(first)).rejects.toMatchObject({ code: 'EXPORT_NOT_FOUND' });
  });

  it('refuses a verification whose data is erased', async () => {
    const { id } = await givenVerification();
    await operator.json(`verification erase ${id} --withdraw --yes`);
    expect((await operator.run(`verification export ${id}`)).err).toBe(
      'countersign: The data of this verification was erased. There is nothing left to export. (ILLEGAL_TRANSITION)\n',
    );
  });
});

describe('verification end-relationship', () => {
  it('verification end-relationship is refused for a verification that is not approved, and needs a time or "never"', async () => {
    const { id } = await givenVerification();
    const early = await operator.run(`verification end-relationship ${id} --ended-at 2026-01-31`);
    expect(early.err).toContain('(ILLEGAL_TRANSITION)');
    expect((await operator.run(`verification end-relationship ${id}`)).exitCode).toBe(2);
    const wrong = await operator.run(`verification end-relationship ${id} --ended-at soon`);
    expect(wrong.err).toContain('or "never"');
  });
});

it('verification decline-export: declines a request of the person, with a reason', async () => {
  const { id, verificationUrl } = await givenVerification();
  const none = await operator.run(`verification decline-export ${id} --reason other`);
  expect(none.err).toContain('(ILLEGAL_TRANSITION)');
  const { access } = await opens(verificationUrl);
  await inServer((core) => core.subject.requestExport(access));
  const unknown = await operator.run(`verification decline-export ${id} --reason secret`);
  expect(unknown.exitCode).toBe(2);

  const { out, exitCode } = await operator.run(`verification decline-export ${id} --reason excessive`);

  expect([out, exitCode]).toEqual([`Verification ${id}: the request for a copy is declined (excessive)\n`, 0]);
});

it('verification withdraw: refuses an unknown verification, and refuses to run without SECRET_KEYS', async () => {
  const { id } = await givenVerification();
  const unknown = await operator.run('verification withdraw unknown');
  expect(unknown).toMatchObject({
    out: '',
    err: 'countersign: Verification not found. Check its id. (VERIFICATION_NOT_FOUND)\n',
  });
  expect(unknown.exitCode).not.toBe(0);

  const stranger = newOperator({
    PUBLIC_BASE_URL,
    DATABASE_URL: `file:${join(operator.dataDir, 'countersign.db')}`,
  });
  const refused = await stranger.run(`verification withdraw ${id}`);
  expect(refused.err).toMatch(/^countersign: SECRET_KEYS is not set, [^\n]+\n$/);
  expect(await operator.json<Shown>(`verification withdraw ${id}`)).toMatchObject({ status: 'rejected' });
});
