import { describe, expect, it } from 'vitest';
import { actionNeeded, inState, pending } from '../../test-support/verifications.ts';
import { STATUSES, type Status } from './status.ts';
import { factsAt, mailNext, SUBJECT_MAILS, type SubjectMails } from './subject-mails.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LINK_END = pending().link.expiresAt;
const before = (days: number) => new Date(LINK_END.getTime() - days * DAY_MS);

it('no event queues two mails, which would have the same id', () => {
  const events = Object.values(SUBJECT_MAILS).flatMap(({ after }) => after);
  expect(events).toEqual([...new Set(events)]);
});

describe('factsAt', () => {
  it.each<[keyof SubjectMails, readonly Status[]]>([
    ['verification.link', ['pending', 'action_needed']],
    ['verification.link_renewed', ['pending', 'action_needed']],
    ['verification.reminder', ['pending']],
    ['verification.action_needed', ['action_needed']],
    ['verification.result', ['approved', 'rejected']],
  ])('%s is needed in the statuses %j alone', (kind, needed) => {
    expect(STATUSES.filter((status) => factsAt(kind, inState(status), before(2)) !== null)).toEqual(needed);
  });

  it('a request for action names its steps and reasons, and not the message of the reviewer', () => {
    expect(factsAt('verification.action_needed', actionNeeded(['selfie']), before(2))).toEqual({
      items: [{ step: 'selfie', reasonCode: 'document_glare' }],
    });
  });

  it('a link that has ended needs no mail, except the result', () => {
    expect(factsAt('verification.link', pending(), LINK_END)).toBeNull();
    expect(factsAt('verification.link', pending(), new Date(LINK_END.getTime() - 1))).toEqual({});
    expect(factsAt('verification.result', inState('approved'), LINK_END)).toEqual({ result: 'approved' });
  });
});

describe('mailNext', () => {
  const nextAt = (now: Date, kind: keyof SubjectMails = 'verification.link') =>
    mailNext({ kind, id: 'mail-2', now }, pending());

  it('a reminder is queued for three days after the link', () => {
    const reminder = {
      id: 'mail-2',
      kind: 'verification.reminder',
      verificationId: pending().id,
      plannedAt: before(1),
    };
    expect(nextAt(before(4))).toMatchObject(reminder);
  });

  it('no reminder is queued if the link works for less than a day then', () => {
    expect(nextAt(new Date(before(4).getTime() + 1))).toBeNull();
  });

  it('no mail comes after a reminder', () => {
    expect(nextAt(before(10), 'verification.reminder')).toBeNull();
  });
});
