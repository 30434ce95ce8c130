import { listExports, readExport, releaseExport } from '@countersign/domain/actions';
import { EvidenceFault, type EvidenceStore } from '@countersign/domain/evidence';
import { EXPORT_DOWNLOADS } from '@countersign/domain/exports';
import { createMemoryStorage } from '@countersign/memory';
import { type GivenExport, givenExport } from '@countersign/test-support/service/exports';
import { givenService } from '@countersign/test-support/service/service';
import { givenStaff, linesOf, signedIn } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const ENDED = expect.objectContaining({ code: 'EXPORT_NOT_FOUND' });

let given: GivenExport;

beforeEach(async () => {
  given = await givenExport();
});

const seenBySubject = () => given.service.countersign.subject.exportOf(given.access);
const commandLine = () => given.service.countersign.as({ kind: 'command_line' });

/** Lets another owner take over, so that the first one can go. */
async function givenSecondOwner() {
  const { service, team } = given;
  return givenStaff(service, { role: 'client', clientId: team.clientId, teamRole: 'owner' });
}

describe('a release ends with the right of the user who made it', () => {
  it.each([
    ['is removed', () => given.service.staff.remove(given.team.owner.id, { keepOwner: true })],
    [
      'becomes an agent',
      () =>
        given.service.staff.changeRole(
          given.team.owner.id,
          { role: 'client', teamRole: 'agent' },
          { keepOwner: true },
        ),
    ],
  ])('when the owner %s: link, code, the download under way and the request', async (_, loseRight) => {
    await givenSecondOwner();
    await given.service.countersign.subject.requestExport(given.access);
    const released = await given.release();
    const { data, readFile, requireStill } = await given.download(released);

    await loseRight();

    const fileId = data.files[0]?.id ?? '';
    for (const use of [requireStill, () => readFile(fileId), () => given.download(released)])
      await expect(use()).rejects.toEqual(ENDED);
    const { link } = released;
    await expect(given.service.countersign.exports.openPage(link.split('/').at(-1) ?? '')).rejects.toEqual(ENDED);
    expect(await seenBySubject()).toMatchObject({ state: 'ended', expiresAt: given.service.clock.now() });
  });

  it('a release ends with the right of the user who made it for good: it stays ended when the owner gets the right back', async () => {
    await givenSecondOwner();
    const { staff } = given.service;
    const { id } = given.team.owner;
    const released = await given.release();
    await staff.changeRole(id, { role: 'client', teamRole: 'viewer' }, { keepOwner: true });
    expect(await commandLine().run(readExport, { verificationId: given.verificationId })).toMatchObject({
      expiresAt: given.service.clock.now(),
    });
    await staff.changeRole(id, { role: 'client', teamRole: 'owner' }, { keepOwner: true });

    await expect(given.download(released)).rejects.toEqual(ENDED);
  });

  it('the subject can ask again immediately, without a look at the page before', async () => {
    await givenSecondOwner();
    await given.release();
    await given.service.staff.remove(given.team.owner.id, { keepOwner: true });

    const { countersign } = given.service;
    expect(await countersign.subject.requestExport(given.access)).toMatchObject({ state: 'requested' });
  });

  it('also of an operator, and in lists', async () => {
    const { service, verificationId } = given;
    const operator = await givenStaff(service, { role: 'operator' });
    const released = await service.countersign
      .as(signedIn(service, operator))
      .run(releaseExport, { verificationId });
    expect((await given.download(released)).data.verification.id).toBe(verificationId);
    await service.staff.changeRole(operator.id, { role: 'reviewer' }, { keepOwner: true });

    const { exports } = await commandLine().run(listExports, {});
    expect(exports).toMatchObject([{ expiresAt: service.clock.now() }]);
    await expect(given.download(released)).rejects.toEqual(ENDED);
  });

  it('and not those of other users and of the command line', async () => {
    const other = await givenSecondOwner();
    const { service, verificationId } = given;
    for (const caller of [signedIn(service, other), { kind: 'command_line' } as const]) {
      const released = await service.countersign.as(caller).run(releaseExport, { verificationId });
      await service.staff.remove(given.team.owner.id, { keepOwner: true });
      expect((await given.download(released)).data.verification.id).toBe(verificationId);
    }
  });

  it('and by its time alone in a service without accounts', async () => {
    const released = await given.release();
    const { storage, clock } = given.service;
    const without = givenService({ storage, clock, staff: undefined });
    const entry = { link: released.link.split('/').at(-1) ?? '', code: released.code };
    expect((await without.countersign.exports.download(entry)).data.clientName).toBe('Acme');
  });
});

describe('downloads of a release', () => {
  it('downloads of a release are limited, each is recorded, and the last one is sent whole', async () => {
    const released = await given.release();
    for (let count = 1; count < EXPORT_DOWNLOADS; count += 1) await given.download(released);
    const { data, readFile, requireStill } = await given.download(released);

    await expect(given.download(released)).rejects.toEqual(ENDED);

    for (const { id } of data.files) expect(await readFile(id)).not.toBeNull();
    await requireStill();
    expect(await seenBySubject()).toMatchObject({ state: 'ended' });
    const lines = (await linesOf(given.service)).filter(({ action }) => action === 'exports.download');
    expect(lines.map(({ outcome }) => outcome)).toEqual(Array(EXPORT_DOWNLOADS).fill('allowed'));
    expect((await given.download(await given.release())).data.clientName).toBe('Acme');
  });

  it('downloads of a release are sent one at a time: a later one ends the one under way, and no other release', async () => {
    const released = await given.release();
    const first = await given.download(released);
    const [file] = first.data.files;

    const second = await given.download(released);

    await expect(first.requireStill()).rejects.toEqual(ENDED);
    await expect(first.readFile(file?.id ?? '')).rejects.toEqual(ENDED);
    expect(await second.readFile(file?.id ?? '')).not.toBeNull();
    await second.requireStill();
  });

  it('downloads with the right code at the same time are counted one by one', async () => {
    const released = await given.release();
    const all = await Promise.allSettled(Array.from({ length: 12 }, () => given.download(released)));
    expect(all.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(EXPORT_DOWNLOADS);
    const { verificationId } = given;
    expect(await commandLine().run(readExport, { verificationId })).toMatchObject({ downloads: EXPORT_DOWNLOADS });
  });
});

describe('a file that cannot be read', () => {
  it.each(['FILE_MISSING', 'FILE_DAMAGED'] as const)(
    'a file that cannot be read is null and reported as %s, and the release stays',
    async (code) => {
      const { storage, clock, evidence, staff } = given.service;
      const released = await given.release();
      let isBroken = true;
      const broken: EvidenceStore['get'] = async ({ verificationId, fileId }) => {
        if (code === 'FILE_MISSING') return null;
        throw new EvidenceFault(code, { verificationId, fileId });
      };
      const store: EvidenceStore = {
        ...evidence.store,
        get: async (place) => (isBroken ? broken(place) : evidence.store.get(place)),
      };
      const service = givenService({ storage, clock, evidence: { ...evidence, store }, staff });
      const entry = { link: released.link.split('/').at(-1) ?? '', code: released.code };
      const { data, readFile, requireStill } = await service.countersign.exports.download(entry);

      for (const { id } of data.files) expect(await readFile(id)).toBeNull();

      await requireStill();
      const { verificationId } = given;
      expect(service.faults).toMatchObject(data.files.map(({ id: fileId }) => ({ code, verificationId, fileId })));
      isBroken = false;
      const again = await service.countersign.exports.download(entry);
      for (const { id } of again.data.files) expect(await again.readFile(id)).not.toBeNull();
    },
  );
});

describe('endAll, after a restore', () => {
  it('ends what the backup revived: a release that had expired, been declined or used up', async () => {
    const storage = createMemoryStorage();
    given = await givenExport(storage);
    const { countersign, clock } = given.service;
    await countersign.subject.requestExport(given.access);
    const released = await given.release();
    clock.advance(1_000);

    expect(await countersign.exports.endAll()).toBe(1);

    await expect(given.download(released)).rejects.toEqual(ENDED);
    expect(await seenBySubject()).toMatchObject({ state: 'ended', expiresAt: clock.now() });
    expect(await countersign.exports.endAll()).toBe(0);
    expect(await countersign.subject.requestExport(given.access)).toMatchObject({ state: 'requested' });
  });
});
