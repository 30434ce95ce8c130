import type { HandOver, HandOverEnd, SubjectAccess } from '@countersign/domain';
import { HAND_OVER_LIFETIME_MS, HAND_OVER_WINDOW_MS, MAX_HAND_OVERS } from '@countersign/domain';
import { eraseVerificationData, renewVerificationLink } from '@countersign/domain/actions';
import { currentFlow, stepsOf } from '@countersign/domain/flows';
import type { Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
import { givenExport } from '@countersign/test-support/service/exports';
import { outcomesOf, type Service } from '@countersign/test-support/service/service';
import { linesOf, operationsAs, signedIn, type Team } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const LINK_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

let service: Service;
let team: Team;
let verificationId: string;
let access: SubjectAccess;

beforeEach(() => given());

async function given(storage: Storage = createMemoryStorage()): Promise<void> {
  ({ service, team, verificationId, access } = await givenExport(storage));
}

const subject = () => service.countersign.subject;
const issue = () => subject().issueHandOver(access);
const reference = ({ code }: HandOver) => ({ verificationId, code });
const open = (handOver: HandOver) => subject().openHandOver(reference(handOver));
const spend = (handOver: HandOver) => subject().spendHandOver(reference(handOver));
const endedBy = (end: HandOverEnd) => expect.objectContaining({ code: 'HAND_OVER_ENDED', data: { end } });
const stored = () => service.storage.handOvers.find({ clientId: team.clientId, verificationId });
const lines = async () => (await linesOf(service)).filter(({ action }) => action.startsWith('hand_overs.'));
const owner = () => service.countersign.as(signedIn(service, team.owner));

describe('a hand-over code', () => {
  it('a hand-over code has 128 bits, and its address names the verification; only a keyed hash is stored', async () => {
    const { code, url, expiresAt, end } = await issue();
    expect(code).toMatch(/^[0-9a-f]{32}$/);
    expect(url).toBe(`https://verify.example/verify/${verificationId}/continue/${code}`);
    expect(expiresAt.getTime() - service.clock.now().getTime()).toBe(10 * 60 * 1000);
    expect(end).toBeNull();
    expect(JSON.stringify(await stored())).not.toContain(code);
  });

  it('a hand-over code gives the access of the link, once', async () => {
    const handOver = await issue();
    expect((await open(handOver)).verification.id).toBe(verificationId);
    const spent = await spend(handOver);
    expect(spent.access).toEqual(access);
    expect((await subject().read(spent.access)).id).toBe(verificationId);
    await expect(spend(handOver)).rejects.toEqual(endedBy('used'));
    await expect(open(handOver)).rejects.toEqual(endedBy('used'));
    expect((await subject().handOverOf(access, handOver.code))?.end).toBe('used');
  });

  it('opening a hand-over code changes nothing', async () => {
    const handOver = await issue();
    const before = [await stored(), await linesOf(service)];
    await open(handOver);
    expect([await stored(), await linesOf(service)]).toEqual(before);
  });

  it('four devices at once: one continues', async () => {
    const handOver = await issue();
    const outcomes = await outcomesOf(Array.from({ length: 4 }, () => spend(handOver)));
    expect(outcomes).toMatchObject({ HAND_OVER_ENDED: 3 });
  });

  it('a hand-over code works for ten minutes, and no longer than the link', async () => {
    const handOver = await issue();
    service.clock.advance(HAND_OVER_LIFETIME_MS - 1);
    await open(handOver);
    service.clock.advance(1);
    await expect(spend(handOver)).rejects.toEqual(endedBy('expired'));

    service.clock.advance(LINK_LIFETIME_MS - HAND_OVER_LIFETIME_MS - 60_000);
    const last = await issue();
    expect(last.expiresAt.getTime() - service.clock.now().getTime()).toBe(60_000);
    service.clock.advance(60_000);
    await expect(spend(last)).rejects.toEqual(endedBy('expired'));
  });

  it('a later code ends the one before, which is unknown from then on', async () => {
    const first = await issue();
    const second = await issue();
    await expect(spend(first)).rejects.toEqual(endedBy('expired'));
    expect(await subject().handOverOf(access, first.code)).toBeNull();
    expect((await subject().handOverOf(access, second.code))?.url).toBe(second.url);
  });

  it.each([
    ['another code', { code: '0'.repeat(32) }],
    ['an empty code', { code: '' }],
    ['another verification', { verificationId: 'unknown' }],
    ['an empty id', { verificationId: '' }],
  ])('%s is like an expired one, and leaves no line', async (_, other) => {
    const handOver = await issue();
    const before = await linesOf(service);
    const wrong = { ...reference(handOver), ...other };
    await expect(subject().openHandOver(wrong)).rejects.toEqual(endedBy('expired'));
    await expect(subject().spendHandOver(wrong)).rejects.toEqual(endedBy('expired'));
    await service.countersign.summariseRefusals();
    expect(await linesOf(service)).toEqual(before);
    expect((await spend(handOver)).access).toEqual(access);
  });
});

describe('what ends a hand-over code', () => {
  it('a renewal of the link ends it, and the new link has codes of its own', async () => {
    const handOver = await issue();
    await owner().run(renewVerificationLink, { verificationId });
    await expect(spend(handOver)).rejects.toEqual(endedBy('renewed'));
    await expect(issue()).rejects.toMatchObject({ code: 'LINK_INVALID' });
    const next = await subject().issueHandOver({ ...access, linkVersion: access.linkVersion + 1 });
    expect((await spend(next)).access.linkVersion).toBe(access.linkVersion + 1);
  });

  it('a withdrawal ends it', async () => {
    const handOver = await issue();
    await operationsAs(service, team.owner).verifications.withdraw(verificationId);
    await expect(open(handOver)).rejects.toEqual(endedBy('closed'));
    await expect(issue()).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
  });

  it('a submission ends it', async () => {
    const handOver = await issue();
    for (const step of stepsOf(currentFlow('kyc'))) await answerStep(service.countersign, access, step);
    await subject().submit(access);
    await expect(spend(handOver)).rejects.toEqual(endedBy('closed'));
    await expect(issue()).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
  });

  it('the erasure deletes it', async () => {
    const handOver = await issue();
    await owner().run(eraseVerificationData, { verificationId, withdraw: true });
    expect(await stored()).toBeNull();
    await expect(spend(handOver)).rejects.toEqual(endedBy('expired'));
  });

  it('a renewal between reading and using it wins', async () => {
    const storage = createMemoryStorage();
    const { spend: sound } = storage.handOvers;
    const renew = () => owner().run(renewVerificationLink, { verificationId });
    const handOvers: Storage['handOvers'] = {
      ...storage.handOvers,
      async spend(code, at) {
        await renew();
        return sound(code, at);
      },
    };
    await given({ ...storage, handOvers });
    const handOver = await issue();
    await expect(spend(handOver)).rejects.toEqual(endedBy('renewed'));
    expect((await stored())?.spentAt).toBeNull();
  });

  it('the job deletes codes an hour after their issue, used or not', async () => {
    await spend(await issue());
    service.clock.advance(HAND_OVER_WINDOW_MS);
    await service.countersign.retention.run();
    expect(await stored()).not.toBeNull();
    service.clock.advance(1);
    await service.countersign.retention.run();
    expect(await stored()).toBeNull();
  });

  it('endHandOvers: ends every code after a restore: some of them were used after the backup', async () => {
    const handOver = await issue();
    expect(await service.countersign.endHandOvers()).toBe(1);
    await expect(spend(handOver)).rejects.toEqual(endedBy('expired'));
    expect(await service.countersign.endHandOvers()).toBe(0);
  });
});

describe('the limit of hand-over codes', () => {
  it('allows five codes within an hour from the first, and a refusal says when the next one can be had', async () => {
    const begun = service.clock.now().getTime();
    for (let n = 1; n <= MAX_HAND_OVERS; n += 1) {
      await issue();
      service.clock.advance(60_000);
    }
    const retryAt = new Date(begun + HAND_OVER_WINDOW_MS).toISOString();
    await expect(issue()).rejects.toMatchObject({ code: 'TOO_MANY_HAND_OVERS', data: { retryAt } });
    service.clock.advance(HAND_OVER_WINDOW_MS - MAX_HAND_OVERS * 60_000 - 1);
    await expect(issue()).rejects.toMatchObject({ code: 'TOO_MANY_HAND_OVERS' });
    service.clock.advance(1);
    await issue();
  });

  it('holds for calls at once', async () => {
    const outcomes = await outcomesOf(Array.from({ length: MAX_HAND_OVERS + 3 }, () => issue()));
    expect(outcomes).toMatchObject({ TOO_MANY_HAND_OVERS: 3 });
  });

  it('the code that a refused request left stays', async () => {
    for (let n = 1; n < MAX_HAND_OVERS; n += 1) await issue();
    const last = await issue();
    await expect(issue()).rejects.toMatchObject({ code: 'TOO_MANY_HAND_OVERS' });
    expect((await spend(last)).access).toEqual(access);
  });
});

describe('the audit log', () => {
  it('records each code and its use, without code, hash and network address', async () => {
    const handOver = await issue();
    await spend(handOver);
    const { codeHash } = (await stored()) ?? { codeHash: 'missing' };
    const shown = { actor: { kind: 'anonymous', id: null }, from: null, clientId: team.clientId };
    expect(await lines()).toEqual(
      ['issue', 'spend'].map((act) =>
        expect.objectContaining({
          ...shown,
          action: `hand_overs.${act}`,
          outcome: 'allowed',
          targetId: verificationId,
          detail: {},
        }),
      ),
    );
    const text = JSON.stringify(await linesOf(service));
    expect(text).not.toContain(handOver.code);
    expect(text).not.toContain(codeHash);
  });

  it('records the first refused use and the first refused request, and summaries of the others', async () => {
    const handOver = await issue();
    await spend(handOver);
    for (let n = 0; n < 5; n += 1) await spend(handOver).catch(() => undefined);
    for (let n = 0; n < MAX_HAND_OVERS + 3; n += 1) await issue().catch(() => undefined);
    await service.countersign.summariseRefusals();
    const refused = (await lines()).filter(({ outcome }) => outcome === 'refused');
    expect(refused.map(({ action, detail }) => [action, detail.code, detail.count ?? 1])).toEqual([
      ['hand_overs.spend', 'HAND_OVER_ENDED', 1],
      ['hand_overs.issue', 'TOO_MANY_HAND_OVERS', 1],
      ['hand_overs.spend', 'HAND_OVER_ENDED', 4],
      ['hand_overs.issue', 'TOO_MANY_HAND_OVERS', 3],
    ]);
  });

  it('a log that cannot be written: no code is issued or used up', async () => {
    const storage = createMemoryStorage();
    let isDown = false;
    const { append } = storage.audit;
    const audit: Storage['audit'] = {
      ...storage.audit,
      append: async (...entries) => (isDown ? Promise.reject(new Error('down')) : append(...entries)),
    };
    await given({ ...storage, audit });
    const handOver = await issue();
    isDown = true;
    await expect(issue()).rejects.toThrow('down');
    await expect(spend(handOver)).rejects.toThrow('down');
    isDown = false;
    expect((await spend(handOver)).access).toEqual(access);
  });
});
