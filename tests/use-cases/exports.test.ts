import type { SubjectAccess } from '@countersign/domain';
import { eraseVerificationData, listExports, readExport, releaseExport } from '@countersign/domain/actions';
import {
  EXPORT_CODE_ATTEMPTS,
  EXPORT_LIFETIME_MS,
  type ExportDownload,
  type ReleasedExport,
} from '@countersign/domain/exports';
import type { Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
import { givenExport } from '@countersign/test-support/service/exports';
import { outcomesOf, type Service } from '@countersign/test-support/service/service';
import {
  auditSummary,
  givenStaff,
  givenTeam,
  linesOf,
  operationsAs,
  signedIn,
  type Team,
} from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });
const UNKNOWN_CODE = 'ZZZZZ-ZZZZZ';

let service: Service;
let team: Team;
let verificationId: string;
let access: SubjectAccess;

/** A verification with answers to two steps and two files. */
beforeEach(() => given());

async function given(storage: Storage = createMemoryStorage()): Promise<void> {
  ({ service, team, verificationId, access } = await givenExport(storage));
}

const lastPart = (url: string): string => url.split('/').at(-1) ?? '';
const owner = (options?: { confirmedSecondsAgo: number | null }) =>
  service.countersign.as(signedIn(service, team.owner, options));
const release = () => owner().run(releaseExport, { verificationId });
const download = ({ link, code }: Pick<ReleasedExport, 'link' | 'code'>): Promise<ExportDownload> =>
  service.countersign.exports.download({ link: lastPart(link), code });
const openPage = (link: string) => service.countersign.exports.openPage(lastPart(link));
const wrong = ({ link }: ReleasedExport) => download({ link, code: UNKNOWN_CODE });

/** Withdraws the verification and erases its data, which the law allows at once. */
const erase = () => owner().run(eraseVerificationData, { verificationId, withdraw: true });

describe('a request for an export', () => {
  it('a request for an export is made by the subject, once, and waits for its release', async () => {
    const { subject } = service.countersign;
    expect(await subject.exportOf(access)).toBeNull();

    const first = await subject.requestExport(access);
    service.clock.advance(1_000);

    const { requestedAt } = first;
    const waiting = { state: 'requested', requestedAt, requestedBy: 'subject', expiresAt: null, declined: null };
    expect(first).toEqual(waiting);
    expect(await subject.requestExport(access)).toEqual(first);
    expect(await subject.exportOf(access)).toEqual(first);
    const { exports, next } = await owner().run(listExports, { waiting: true });
    expect(exports).toMatchObject([{ verificationId, clientId: team.clientId, requestedBy: 'subject' }]);
    expect(next).toBeNull();
  });

  it('a request for an export can be made again once the release has ended', async () => {
    const { subject } = service.countersign;
    await release();
    service.clock.advance(EXPORT_LIFETIME_MS - 1);
    expect(await subject.requestExport(access)).toMatchObject({ state: 'released', requestedBy: 'team_member' });
    service.clock.advance(1);
    expect(await subject.exportOf(access)).toMatchObject({ state: 'ended' });
    expect(await subject.requestExport(access)).toMatchObject({ state: 'requested', expiresAt: null });
  });

  it('a request for an export is refused with a link that was renewed, and after the erasure', async () => {
    await erase();
    await expect(service.countersign.subject.requestExport(access)).rejects.toEqual(
      withCode('ILLEGAL_TRANSITION'),
    );
    expect(await service.countersign.subject.exportOf(access)).toBeNull();
    const renewed = { ...access, linkVersion: access.linkVersion + 1 };
    await expect(service.countersign.subject.requestExport(renewed)).rejects.toEqual(withCode('LINK_INVALID'));
  });
});

describe('a release', () => {
  it('gives a link and a code, without a request too, and stores neither', async () => {
    const released = await release();

    expect(released).toMatchObject({ verificationId, code: expect.stringMatching(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/) });
    expect(released.link).toMatch(/^https:\/\/verify\.example\/export\/[^/.]+\.[\w-]+$/);
    expect(released.expiresAt.getTime()).toBe(service.clock.now().getTime() + EXPORT_LIFETIME_MS);
    const stored = await owner().run(readExport, { verificationId });
    expect(stored).toMatchObject({ requestedBy: 'team_member', releasedBy: team.owner.id, linkVersion: 1 });
    const token = lastPart(released.link).split('.')[1] ?? '';
    for (const secret of [token, released.code, released.code.replace('-', '')])
      expect(JSON.stringify([stored, await linesOf(service)])).not.toContain(secret);
  });

  it('needs a confirmed password, and is recorded for the verification', async () => {
    await expect(owner({ confirmedSecondsAgo: null }).run(releaseExport, { verificationId })).rejects.toEqual(
      withCode('CONFIRMATION_NEEDED'),
    );
    await release();

    expect((await linesOf(service)).at(-1)).toMatchObject({
      actor: { kind: 'team_member', id: team.owner.id },
      action: 'exports.release',
      outcome: 'allowed',
      clientId: team.clientId,
      targetId: verificationId,
      detail: {},
    });
  });

  it('ends link and code of the one before', async () => {
    const first = await release();
    const second = await release();

    await expect(download(first)).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
    await expect(openPage(first.link)).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
    await expect(download({ link: second.link, code: first.code })).rejects.toEqual(withCode('EXPORT_CODE_WRONG'));
    expect((await download(second)).data.clientName).toBe('Acme');
  });

  it('two releases at once leave one link and its code', async () => {
    const both = await Promise.all([release(), release()]);

    expect(await outcomesOf(both.map(download))).toEqual({ ok: 1, EXPORT_NOT_FOUND: 1 });
  });

  it('a release is made by operators for any client, and by no other client', async () => {
    const operator = service.countersign.as(signedIn(service, await givenStaff(service, { role: 'operator' })));
    const other = await givenTeam(service, 'Other');
    const stranger = service.countersign.as(signedIn(service, other.owner));

    await expect(stranger.run(releaseExport, { verificationId })).rejects.toEqual(
      withCode('VERIFICATION_NOT_FOUND'),
    );
    await expect(stranger.run(readExport, { verificationId })).rejects.toEqual(withCode('VERIFICATION_NOT_FOUND'));
    expect((await stranger.run(listExports, {})).exports).toEqual([]);
    await expect(stranger.run(listExports, { clientId: team.clientId })).rejects.toEqual(
      withCode('CLIENT_NOT_FOUND'),
    );
    expect((await operator.run(releaseExport, { verificationId })).verificationId).toBe(verificationId);
    const commandLine = service.countersign.as({ kind: 'command_line' });
    expect((await commandLine.run(releaseExport, { verificationId })).code).not.toBe('');
    expect((await commandLine.run(listExports, { clientId: other.clientId })).exports).toEqual([]);
    expect((await commandLine.run(listExports, {})).exports).toMatchObject([{ releasedBy: null, linkVersion: 2 }]);
  });

  it('a release that loses to a new request of the subject releases this one', async () => {
    const storage = createMemoryStorage();
    let interrupt = async (): Promise<unknown> => undefined;
    const exports: Storage['exports'] = {
      ...storage.exports,
      async release(request) {
        const happen = interrupt;
        interrupt = async () => undefined;
        await happen();
        return storage.exports.release(request);
      },
    };
    await given({ ...storage, exports });
    await release();
    service.clock.advance(EXPORT_LIFETIME_MS - 1);
    interrupt = async () => {
      service.clock.advance(1);
      await service.countersign.subject.requestExport(access);
    };

    const released = await release();

    expect((await download(released)).data.verification.id).toBe(verificationId);
    expect(await owner().run(readExport, { verificationId })).toMatchObject({ requestedBy: 'subject' });

    interrupt = erase;
    await expect(release()).rejects.toEqual(withCode('ILLEGAL_TRANSITION'));
  });

  it('a release of an erased verification is refused', async () => {
    await erase();
    await expect(release()).rejects.toEqual(withCode('ILLEGAL_TRANSITION'));
  });

  it('lists more exports than one page holds', async () => {
    const { verifications } = operationsAs(service, team.owner);
    for (let n = 1; n <= 51; n += 1) {
      const { id } = await verifications.create({ subjectType: 'kyc', subjectReference: `more_${n}` });
      await owner().run(releaseExport, { verificationId: id });
    }
    const first = await owner().run(listExports, {});
    const second = await owner().run(listExports, { after: first.next ?? undefined });
    expect([first.exports.length, second.exports.length, second.next]).toEqual([50, 1, null]);
  });
});

describe('the page of a link', () => {
  it('shows the client and when the link ends, and nothing of the person', async () => {
    const { link, expiresAt } = await release();
    expect(await openPage(link)).toMatchObject({ appearance: { name: 'Acme' }, expiresAt });
  });

  it('the page of a link is the same for links that are unknown, forged, not released, too late or those of a verification', async () => {
    await service.countersign.subject.requestExport(access);
    const { exports } = await owner().run(listExports, {});
    const notReleased = `${exports[0]?.id}.token`;
    const verificationUrl = await service.countersign.subject.linkOf(access);
    const { link } = await release();
    const [id = '', token = ''] = lastPart(link).split('.');
    const others = [
      '',
      '.',
      'no-link',
      notReleased,
      verificationUrl,
      `${id}.x${token}`,
      `${verificationId}.${token}`,
    ];
    for (const other of others) await expect(openPage(other), other).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
    await expect(service.countersign.subject.open(lastPart(link))).rejects.toEqual(withCode('LINK_INVALID'));

    service.clock.advance(EXPORT_LIFETIME_MS - 1);
    await expect(openPage(link)).resolves.toBeDefined();
    service.clock.advance(1);
    await expect(openPage(link)).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
  });
});

describe('a download', () => {
  it('a download has the data and the files, as often as the person wants, and each is recorded', async () => {
    const released = await release();

    const { data, flow, readFile } = await download(released);

    expect(data.verification).toMatchObject({ id: verificationId, metadata: { order: 'A-7' } });
    expect(Object.keys(data.verification.submittedData)).toEqual(['consent', 'document']);
    expect(JSON.stringify(data)).not.toContain('/verify/');
    expect(flow.type).toBe('kyc');
    const [file] = data.files;
    const part = await readFile(file?.id ?? '');
    expect([file?.name, part?.contentType, part?.content.byteLength]).toEqual([
      'document_front.jpg',
      'image/jpeg',
      file?.size,
    ]);
    await expect(readFile('another')).rejects.toEqual(withCode('FILE_NOT_FOUND'));
    service.clock.advance(1_000);
    await download({ ...released, code: released.code.toLowerCase().replace('-', ' ') });
    expect(await owner().run(readExport, { verificationId })).toMatchObject({ downloadedAt: service.clock.now() });
    const lines = (await linesOf(service)).filter(({ action }) => action === 'exports.download');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({
      actor: { kind: 'anonymous', id: null },
      outcome: 'allowed',
      clientId: team.clientId,
      targetId: verificationId,
    });
  });

  it('leaves no network address in the audit log, which outlasts the erasure', async () => {
    const released = await release();
    await download(released);
    await wrong(released).catch(() => undefined);
    await service.countersign.summariseRefusals();

    const lines = (await linesOf(service)).filter(({ action }) => action === 'exports.download');
    expect(lines.map(({ outcome, from }) => [outcome, from])).toEqual([
      ['allowed', null],
      ['refused', null],
    ]);
  });

  it('counts wrong codes, says how many are left, and ends with the last', async () => {
    const released = await release();

    for (let left = EXPORT_CODE_ATTEMPTS - 1; left >= 0; left -= 1) {
      await expect(wrong(released)).rejects.toMatchObject({
        code: 'EXPORT_CODE_WRONG',
        data: { attemptsLeft: left },
      });
    }

    await expect(download(released)).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
    expect(await service.countersign.subject.exportOf(access)).toMatchObject({ state: 'ended' });
    await service.countersign.summariseRefusals();
    const summary = await auditSummary(service);
    expect(summary).toContain('exports.download refused EXPORT_CODE_WRONG');
    expect(summary).not.toContain('exports.download allowed');
    expect((await download(await release())).data.clientName).toBe('Acme');
  });

  it('a download does not count an empty or very long code', async () => {
    const { link } = await release();
    for (const code of ['', '  ', 'x'.repeat(101)])
      await expect(download({ link, code }), code).rejects.toEqual(withCode('INVALID_PARAMETERS'));
    expect(await owner().run(readExport, { verificationId })).toMatchObject({ wrongCodes: 0 });
  });

  it('a download counts each of several wrong codes at once, and refuses the right one after the last', async () => {
    const released = await release();

    const outcomes = await outcomesOf(Array.from({ length: 8 }, () => wrong(released)));

    expect(outcomes).toEqual({ EXPORT_CODE_WRONG: EXPORT_CODE_ATTEMPTS, EXPORT_NOT_FOUND: 3 });
    await expect(download(released)).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
  });

  it('a download with the right code that loses to the last wrong one is refused', async () => {
    const storage = createMemoryStorage();
    const { markDownloaded, countWrongCode } = storage.exports;
    const exports: Storage['exports'] = {
      ...storage.exports,
      async markDownloaded(of, at) {
        for (let n = 1; n <= EXPORT_CODE_ATTEMPTS; n += 1) await countWrongCode(of);
        return markDownloaded(of, at);
      },
    };
    await given({ ...storage, exports });

    await expect(download(await release())).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
    expect((await auditSummary(service)).slice(-2)).toEqual([
      'exports.download allowed',
      'exports.download refused EXPORT_NOT_FOUND',
    ]);
  });

  it('a download is possible while the verification is hidden, and has what is hidden', async () => {
    const { countersign } = service;
    for (const step of ['person', 'selfie', 'address', 'attestation'] as const)
      await answerStep(countersign, access, step);
    await countersign.subject.submit(access);
    const reviewer = operationsAs(service, await givenStaff(service, { role: 'reviewer' })).review;
    const { verification } = await reviewer.open(verificationId);
    const seen = { verificationId, version: verification.version };
    await reviewer.reject(seen, { reasonCodes: ['suspected_fraud'] });
    expect(await owner().run(eraseVerificationData, { verificationId })).toMatchObject({ state: 'restricted' });

    const { data } = await download(await release());

    expect(data.retention).toMatchObject({ state: 'restricted', rule: 'requested' });
    expect(data.verification.decision?.reasonCodes).toEqual(['other']);
    expect(data.files.length).toBe(3);
  });
});

describe('erasure beats export', () => {
  it('an erased verification has no export any more', async () => {
    const released = await release();
    await erase();

    await expect(openPage(released.link)).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
    await expect(download(released)).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
    expect(await owner().run(readExport, { verificationId })).toBeNull();
  });

  it('an erasure after the data was read gives no data', async () => {
    const storage = createMemoryStorage();
    const { findWithHistory } = storage.verifications;
    let interrupt = async (): Promise<void> => undefined;
    const verifications: Storage['verifications'] = {
      ...storage.verifications,
      async findWithHistory(...place) {
        const found = await findWithHistory(...place);
        await interrupt();
        return found;
      },
    };
    await given({ ...storage, verifications });
    const released = await release();
    interrupt = async () => void (await erase());

    await expect(download(released)).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
  });

  it('an erasure that has begun gives no data, although the row is not emptied yet', async () => {
    const storage = createMemoryStorage();
    await given({
      ...storage,
      retention: { ...storage.retention, erase: async () => ({ outcome: 'conflict' }) },
    });
    const released = await release();
    await expect(erase()).rejects.toThrow();

    expect(await storage.exports.ofVerification({ clientId: team.clientId, verificationId })).not.toBeNull();
    await expect(openPage(released.link)).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
    await expect(download(released)).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
  });

  it.each([
    ['the erasure', () => erase()],
    ['another release', () => release()],
    ['its end', async () => service.clock.advance(EXPORT_LIFETIME_MS)],
  ])('nothing is handed out after %s', async (_, happen) => {
    const { data, readFile, requireStill } = await download(await release());
    const fileId = data.files[0]?.id ?? '';
    await expect(readFile(fileId)).resolves.toBeDefined();
    await expect(requireStill()).resolves.toBeUndefined();

    await happen();

    await expect(readFile(fileId)).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
    await expect(requireStill()).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
  });

  it('no file is handed out if it was read during the erasure', async () => {
    const { data, readFile } = await download(await release());
    const { store } = service.evidence;
    const get = store.get.bind(store);
    store.get = async (place) => {
      const content = await get(place);
      await erase();
      return content;
    };

    await expect(readFile(data.files[0]?.id ?? '')).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
  });
});

describe('the job', () => {
  it('forgets exports 30 days after their end, and keeps those that wait', async () => {
    const days = (count: number) => service.clock.advance(count * EXPORT_LIFETIME_MS);
    await operationsAs(service, team.owner).verifications.withdraw(verificationId);
    await release();
    const read = () => owner().run(readExport, { verificationId });
    days(1);
    for (let week = 1; week <= 5; week += 1) {
      expect(await read(), `week ${week}`).not.toBeNull();
      await service.countersign.retention.run();
      days(6);
      await service.countersign.retention.run();
    }
    days(1);
    await service.countersign.retention.run();
    expect(await read()).toBeNull();

    await service.countersign.subject.requestExport(access);
    for (let week = 1; week <= 3; week += 1) {
      days(6);
      await service.countersign.retention.run();
    }
    expect(await read()).not.toBeNull();
  });
});
