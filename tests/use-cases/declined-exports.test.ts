import type { As } from '@countersign/domain';
import { declineExport, eraseVerificationData, listExports, readExport } from '@countersign/domain/actions';
import { type DeclineReason, EXPORT_DECLINED_MS, EXPORT_LIFETIME_MS } from '@countersign/domain/exports';
import { type GivenExport, givenExport } from '@countersign/test-support/service/exports';
import { givenStaff, givenTeam, linesOf, signedIn } from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });

let given: GivenExport;

beforeEach(async () => {
  given = await givenExport();
});

const owner = (options?: { confirmedSecondsAgo: number | null }) =>
  given.service.countersign.as(signedIn(given.service, given.team.owner, options));
const request = () => given.service.countersign.subject.requestExport(given.access);
const decline = (declineReason: DeclineReason = 'identity_unclear', by: As = owner()) =>
  by.run(declineExport, { verificationId: given.verificationId, declineReason });
const seenBySubject = () => given.service.countersign.subject.exportOf(given.access);

describe('a declined request', () => {
  it('shows the subject when and why, and from when they can ask again', async () => {
    const { requestedAt } = await request();
    given.service.clock.advance(1_000);
    const at = given.service.clock.now();

    await decline('rights_of_others');

    const askAgainFrom = new Date(at.getTime() + EXPORT_DECLINED_MS);
    const declined = { at, reason: 'rights_of_others', askAgainFrom };
    const shown = { state: 'declined', requestedAt, requestedBy: 'subject', expiresAt: null, declined };
    expect(await seenBySubject()).toEqual(shown);
    expect((await owner().run(listExports, { waiting: true })).exports).toEqual([]);
    // A request that is sent again changes nothing.
    given.service.clock.set(new Date(askAgainFrom.getTime() - 1).toISOString());
    expect(await request()).toEqual(shown);
    given.service.clock.advance(1);
    expect(await seenBySubject()).toEqual({ ...shown, state: 'ended' });
    expect(await request()).toMatchObject({ state: 'requested', declined: null });
  });

  it('a declined request is recorded for the verification with its reason, and needs no confirmed password', async () => {
    await request();
    await decline('excessive', owner({ confirmedSecondsAgo: null }));

    expect((await linesOf(given.service)).at(-1)).toMatchObject({
      actor: { kind: 'team_member', id: given.team.owner.id },
      action: 'exports.decline',
      outcome: 'allowed',
      clientId: given.team.clientId,
      targetId: given.verificationId,
      detail: { declineReason: 'excessive' },
    });
  });

  it('a declined request is released by staff all the same', async () => {
    await request();
    await decline();

    const released = await given.release();

    expect((await given.download(released)).data.verification.id).toBe(given.verificationId);
    expect(await seenBySubject()).toMatchObject({ state: 'released', declined: null });
  });

  it('a declined request that was released ends with its link and code', async () => {
    await request();
    const released = await given.release();
    const { readFile, data } = await given.download(released);

    await decline();

    await expect(given.download(released)).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
    await expect(readFile(data.files[0]?.id ?? '')).rejects.toEqual(withCode('EXPORT_NOT_FOUND'));
    const again = await given.release();
    expect((await given.download(again)).data.clientName).toBe('Acme');
  });

  it('a declined request is deleted with the erasure', async () => {
    await request();
    await decline();
    const { verificationId } = given;
    await owner().run(eraseVerificationData, { verificationId, withdraw: true });
    expect(await seenBySubject()).toBeNull();
    await expect(decline()).rejects.toEqual(withCode('ILLEGAL_TRANSITION'));
  });

  it('a declined request is forgotten 30 days later', async () => {
    await request();
    await decline();
    const { clock, countersign } = given.service;
    const { verificationId } = given;
    const DAY = 24 * 60 * 60 * 1000;
    const days = async (count: number): Promise<void> => {
      for (let day = 1; day <= count; day += 1) {
        clock.advance(DAY);
        await countersign.retention.run();
      }
    };
    await days(30);
    expect(await owner().run(readExport, { verificationId })).not.toBeNull();
    await days(1);
    expect(await owner().run(readExport, { verificationId })).toBeNull();
  });
});

describe('a refusal', () => {
  it('a refusal is refused without an open request of the subject: none, declined, ended, or of staff', async () => {
    await expect(decline()).rejects.toEqual(withCode('ILLEGAL_TRANSITION'));
    await given.release();
    await expect(decline()).rejects.toEqual(withCode('ILLEGAL_TRANSITION'));
    given.service.clock.advance(EXPORT_LIFETIME_MS);
    await request();
    await decline();
    await expect(decline()).rejects.toEqual(withCode('ILLEGAL_TRANSITION'));
    await given.release();
    given.service.clock.advance(EXPORT_LIFETIME_MS);
    await expect(decline()).rejects.toEqual(withCode('ILLEGAL_TRANSITION'));
  });

  it('a refusal is made by operators for any client, and by no other client', async () => {
    await request();
    const { service } = given;
    const other = await givenTeam(service, 'Other');
    const stranger = service.countersign.as(signedIn(service, other.owner));
    await expect(decline('other', stranger)).rejects.toEqual(withCode('VERIFICATION_NOT_FOUND'));
    const operator = service.countersign.as(signedIn(service, await givenStaff(service, { role: 'operator' })));
    expect(await decline('other', operator)).toMatchObject({ declineReason: 'other' });
  });

  it('needs a reason that the subject may learn', async () => {
    await request();
    const { verificationId } = given;
    const invalid = (declineReason: string) =>
      owner().runUnchecked(declineExport, { verificationId, declineReason });
    for (const reason of ['', 'suspected_fraud', 'hold'])
      await expect(invalid(reason), reason).rejects.toEqual(withCode('INVALID_PARAMETERS'));
  });
});
