import { describe, expect, it } from 'vitest';
import {
  actionNeeded,
  answered,
  CONTEXT,
  completed,
  completing,
  file,
  found,
  NOW,
  pending,
  submitted,
} from '../../test-support/verifications.ts';
import { DEFAULT_RETENTION_SETTINGS } from '../erasure/retained-rules.ts';
import type { JsonObject } from '../input/json.ts';
import type { VerificationEvent } from '../verification/events.ts';
import { hold } from '../verification/hold.ts';
import { withdraw } from '../verification/manage-verification.ts';
import { approve, note, reject } from '../verification/reviewer-moves.ts';
import { saveDraft } from '../verification/save-draft.ts';
import { attachFile, submit } from '../verification/subject-moves.ts';
import type { Verification } from '../verification/verification.ts';
import { type PersonalData, personalDataOf } from './personal-data.ts';

const links = { url: () => 'https://verify.example/secret', idIn: () => '', check: () => undefined };
const HOLD = { reason: 'inquiry', setBy: 'operator' } as const;
const ends = (years: number): Date => new Date(Date.UTC(2026 + years, 2, 2));

function exported(verification: Verification, now = NOW): PersonalData {
  const settings = {
    clientName: 'Acme',
    erasesData: true,
    rules: DEFAULT_RETENTION_SETTINGS,
    pausedUntil: null,
    links,
    now,
  };
  return personalDataOf(found(verification), settings);
}

describe('the data of an export', () => {
  it('the data of an export has current answers, replaced answers and drafts', () => {
    const asked = answered(actionNeeded(['person', 'address']), 'person');
    const draft = { step: 'consent', fields: ['locale'], input: { locale: 'de' } };
    const begun = saveDraft(pending(), draft, CONTEXT).next;

    expect(exported(asked).verification.submittedData).toHaveProperty('person');
    expect(exported(asked).earlierAnswers.map(({ step }) => step)).toEqual(['person']);
    expect(exported(asked).verification.actionNeeded?.items).toHaveLength(2);
    expect(exported(begun).drafts).toEqual({ consent: { locale: 'de' } });
  });

  it('the data of an export has each request for action with its time, steps and reasons', () => {
    const requested = (items: readonly JsonObject[] | null): VerificationEvent => ({
      id: 'event-1',
      clientId: 'client-1',
      verificationId: 'verification-1',
      version: 9,
      status: 'action_needed',
      at: NOW,
      actor: { kind: 'reviewer', id: 'staff-1' },
      type: 'verification.action_requested',
      data: items === null ? {} : { items },
    });
    const items = [{ step: 'person', reasonCode: 'data_mismatch', field: 'lastName' }];
    const events = [requested(items), requested(null)];
    const settings = {
      clientName: 'Acme',
      erasesData: true,
      rules: DEFAULT_RETENTION_SETTINGS,
      pausedUntil: null,
      links,
      now: NOW,
    };
    const data = personalDataOf({ ...found(submitted()), events }, settings);
    expect(data.requestsForAction).toEqual([
      { requestedAt: NOW, items },
      { requestedAt: NOW, items: [] },
    ]);
    expect(JSON.stringify(data)).not.toContain('staff-1');
  });

  it('the data of an export has what the client sent', () => {
    const sent = {
      ...pending(),
      idempotency: { key: 'order 7', fingerprint: 'f' },
      returnUrl: 'https://a.example',
      notify: { email: 'ada@example.org' },
    };
    expect(exported(sent)).toMatchObject({
      clientName: 'Acme',
      idempotencyKey: 'order 7',
      notify: { email: 'ada@example.org' },
      verification: { subjectReference: 'user_1', metadata: { tier: 'gold' }, returnUrl: 'https://a.example' },
    });
  });

  it('names files by what they show, and numbers those of one kind', () => {
    const front = file('document', 'document_front', 'one');
    const files = [
      front,
      { ...front, id: 'two', contentType: 'image/png' as const },
      { ...file('address', 'proof_of_address', 'three'), contentType: 'application/pdf' as const },
    ];
    const names = exported({ ...pending(), files }).files.map(({ id, name }) => [id, name]);
    expect(names).toEqual([
      ['one', 'document_front.jpg'],
      ['two', 'document_front-2.png'],
      ['three', 'proof_of_address.pdf'],
    ]);
  });

  it('the data of an export names a file, and not its thumbnail, which is only a smaller copy', () => {
    const thumbnail = { size: 4_000, sha256: 'b'.repeat(64) };
    const data = exported({ ...pending(), files: [{ ...file('selfie', 'selfie', 'one'), thumbnail }] });
    expect(data.files.map(({ id, name }) => [id, name])).toEqual([['one', 'selfie.jpg']]);
    expect(JSON.stringify(data)).not.toMatch(/thumbnail/i);
  });

  it('the data of an export has no internal note, no hold, no warning and no link', () => {
    const noted = note(submitted(), 'looks like a mule', { now: NOW, reviewerId: 'staff-1' }).next;
    const held = hold(
      { ...noted, files: [{ ...file('selfie', 'selfie'), warnings: ['blur'] }] },
      { reason: 'police inquiry' },
      { actor: { kind: 'operator', id: 'staff-2' }, now: NOW },
    );
    const text = JSON.stringify(exported(held?.next ?? noted));
    for (const hidden of ['mule', 'police', 'held', 'blur', 'staff-', 'secret'])
      expect(text).not.toContain(hidden);
  });

  it('shows a suspicion of fraud as another reason', () => {
    const input = { reasonCodes: ['suspected_fraud', 'other', 'selfie_mismatch'], message: 'Sorry' };
    const rejected = reject(submitted(), input, NOW).next;
    expect(exported(rejected).verification.decision).toMatchObject({
      reasonCodes: ['other', 'selfie_mismatch'],
      message: 'Sorry',
    });
  });

  it('says until when the data is kept, and by which rule, whatever holds', () => {
    const approved = approve(submitted(), NOW).next;
    const held = { ...approved, hold: { reason: 'inquiry', setBy: 'team_member' } as const, heldAt: NOW };
    const until = ends(10);
    expect(exported(approved).retention).toEqual({ state: 'kept', until, rule: 'approved_longest' });
    expect(exported(held).retention).toEqual({ state: 'kept', until, rule: 'approved_longest' });
    expect(exported(pending()).retention).toEqual({ state: 'kept', until: null, rule: null });
  });

  it('the data of an export does not reveal that a hold keeps data whose period has ended', () => {
    const rejected = reject(submitted(), { reasonCodes: ['other'], message: 'Sorry' }, NOW).next;
    const held = { ...rejected, hold: HOLD, heldAt: NOW };
    const ended = ends(5);
    const before = new Date(ended.getTime() - 1);

    expect(exported(held, before).retention).toEqual({ state: 'kept', until: ended, rule: 'rejected' });
    expect(exported(held, ended).retention).toEqual({ state: 'kept', until: null, rule: 'rejected' });
    const requested = exported({ ...held, erasureRequestedAt: NOW }, ended);
    expect(requested.retention).toEqual({ state: 'restricted', until: null, rule: 'requested' });
  });

  it('says that the data is kept for a pause after its period, also on hold', () => {
    const rejected = reject(submitted(), { reasonCodes: ['other'], message: 'Sorry' }, NOW).next;
    const [now, pausedUntil] = [ends(5), new Date(ends(5).getTime() + 1)];
    const settings = {
      clientName: 'Acme',
      erasesData: true,
      rules: DEFAULT_RETENTION_SETTINGS,
      pausedUntil,
      links,
      now,
    };
    for (const each of [rejected, { ...rejected, hold: HOLD, heldAt: NOW }])
      expect(personalDataOf(found(each), settings).retention?.until).toEqual(pausedUntil);
  });

  it('the data of an export promises no erasure in a service that erases nothing', () => {
    const rejected = reject(submitted(), { reasonCodes: ['other'], message: 'Sorry' }, NOW).next;
    const given = { clientName: 'Acme', rules: DEFAULT_RETENTION_SETTINGS, pausedUntil: null, links, now: NOW };
    expect(personalDataOf(found(rejected), { ...given, erasesData: true }).retention?.until).toEqual(ends(5));
    expect(personalDataOf(found(rejected), { ...given, erasesData: false }).retention).toBeNull();
  });

  it('the data of an export does not reveal that a hold keeps what was retaken before a submission', () => {
    const retaken = attachFile(completed(), file('selfie', 'selfie', 'retaken')).next;
    const next = submit({ ...retaken, hold: HOLD, heldAt: NOW }, NOW).next;
    expect(next.files.map(({ id }) => id)).toContain('retaken');
    expect(exported(next).files).toHaveLength(next.files.length - 1);
    expect(JSON.stringify(exported(next))).not.toContain('retaken');
  });

  it('the data of an export does not reveal that a hold keeps replaced uploads whose period has ended', () => {
    const again = attachFile(actionNeeded(['selfie']), file('selfie', 'selfie', 'again')).next;
    const redone = completing(again, 'selfie', { fileId: 'again' });
    const held = { ...redone, hold: HOLD, heldAt: NOW };
    const selfies = (now: Date) =>
      exported(held, now)
        .files.filter(({ kind }) => kind === 'selfie')
        .map(({ id }) => id);
    const end = new Date('2026-04-01T00:00:00.000Z');

    expect(selfies(new Date(end.getTime() - 1))).toEqual(['selfie', 'again']);
    expect(selfies(end)).toEqual(['again']);
  });

  it('the data of an export does not reveal that a hold kept drafts and unused files at a withdrawal', () => {
    const begun = saveDraft(
      pending(),
      { step: 'consent', fields: ['locale'], input: { locale: 'de' } },
      CONTEXT,
    ).next;
    const unused = { ...begun, files: [file('selfie', 'selfie')], hold: HOLD, heldAt: NOW };
    const withdrawn = withdraw(unused, NOW).next;

    expect(exported(unused)).toMatchObject({
      drafts: { consent: { locale: 'de' } },
      files: [{ id: 'selfie' }],
    });
    expect([withdrawn.files.length, Object.keys(withdrawn.drafts)]).toEqual([1, ['consent']]);
    expect(exported(withdrawn)).toMatchObject({ files: [] });
    expect(exported(withdrawn).drafts).toEqual({});
  });

  it('the data of an export is whole although it is hidden from the client', () => {
    const approved = approve(submitted(), NOW).next;
    const restricted = exported({ ...approved, erasureRequestedAt: NOW });
    expect(restricted.verification.submittedData).toEqual(exported(approved).verification.submittedData);
    expect(restricted).toMatchObject({ erasureRequestedAt: NOW, retention: { state: 'restricted' } });
    expect(restricted.files.length).toBeGreaterThan(0);
  });
});
