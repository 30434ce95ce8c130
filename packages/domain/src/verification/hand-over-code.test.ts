import { describe, expect, it } from 'vitest';
import { NOW } from '../../test-support/verifications.ts';
import {
  HAND_OVER_LIFETIME_MS,
  HAND_OVER_WINDOW_MS,
  type HandOverCode,
  handOverEnd,
  hashOfHandOver,
  isHandOverCode,
  issuedHandOver,
  MAX_HAND_OVERS,
  newHandOverCode,
  nextHandOverAt,
} from './hand-over-code.ts';
import type { Status } from './status.ts';

const after = (ms: number): Date => new Date(NOW.getTime() + ms);
const MINUTE = 60_000;

const CODE: HandOverCode = {
  clientId: 'client-1',
  verificationId: 'verification-1',
  linkVersion: 2,
  codeHash: 'hash',
  issuedAt: NOW,
  expiresAt: after(10 * MINUTE),
  spentAt: null,
  countedFrom: NOW,
  issued: 1,
};
const OWNER = {
  status: 'pending' as Status,
  linkVersion: 2,
  linkExpiresAt: after(60 * MINUTE),
  submittedAt: null as Date | null,
};
const { spentAt: _, countedFrom: __, issued: ___, ...NEW } = CODE;

describe('the limits of a hand-over code', () => {
  it('a code works for ten minutes, and a verification gets five within an hour', () => {
    expect([HAND_OVER_LIFETIME_MS, MAX_HAND_OVERS, HAND_OVER_WINDOW_MS]).toEqual([10 * MINUTE, 5, 60 * MINUTE]);
  });
});

describe('a code and its hash', () => {
  const secrets = {
    randomHex: (bytes: number) => 'ab'.repeat(bytes),
    sign: (text: string) => `signed ${text}`,
    verify: (text: string, signature: string) => signature === `signed ${text}`,
  };
  const code = newHandOverCode(secrets);
  const stored = {
    verificationId: 'verification-1',
    linkVersion: 2,
    codeHash: hashOfHandOver(secrets, CODE, code),
  };

  it('a code has 128 bits, in hexadecimal', () => {
    expect(code).toMatch(/^[0-9a-f]{32}$/);
  });

  it('the hash holds for one link of one verification', () => {
    expect(isHandOverCode(secrets, stored, code)).toBe(true);
    expect(isHandOverCode(secrets, { ...stored, linkVersion: 3 }, code)).toBe(false);
    expect(isHandOverCode(secrets, { ...stored, verificationId: 'verification-2' }, code)).toBe(false);
    expect(isHandOverCode(secrets, stored, code.replace('a', 'c'))).toBe(false);
  });

  it.each([
    ['longer', `${code}0`],
    ['with something before it', `x${code}`],
    ['shorter', code.slice(1)],
    ['in upper case', code.toUpperCase()],
  ])('a text that is no code is refused, even if it is signed: %s', (_what, text) => {
    const codeHash = hashOfHandOver(secrets, CODE, text);
    expect(isHandOverCode(secrets, { ...stored, codeHash }, text)).toBe(false);
  });
});

describe('handOverEnd', () => {
  it.each<[string, Partial<HandOverCode>, Partial<typeof OWNER>, number, string | null]>([
    ['works until it expires', {}, {}, 10 * MINUTE - 1, null],
    ['expires at its time', {}, {}, 10 * MINUTE, 'expired'],
    ['was used', { spentAt: NOW }, {}, 0, 'used'],
    ['was used, and has expired since', { spentAt: NOW }, {}, 20 * MINUTE, 'used'],
    ['ends with a renewal of the link', {}, { linkVersion: 3 }, 0, 'renewed'],
    ['ends with the submission', {}, { status: 'submitted', submittedAt: after(1) }, 1, 'closed'],
    [
      'stays ended if action is asked for since',
      {},
      { status: 'action_needed', submittedAt: after(1) },
      2,
      'closed',
    ],
    ['works if the submission was before it', {}, { status: 'action_needed', submittedAt: after(-1) }, 0, null],
    ['works if the submission was at its time', {}, { status: 'action_needed', submittedAt: NOW }, 0, null],
    ['ends with a decision', {}, { status: 'rejected' }, 0, 'closed'],
    ['ends with the link', {}, { linkExpiresAt: after(1) }, 1, 'expired'],
  ])('a code %s', (_what, code, owner, at, end) => {
    expect(handOverEnd({ ...CODE, ...code }, { ...OWNER, ...owner }, after(at))).toBe(end);
  });
});

describe('issuedHandOver', () => {
  const last = (issued: number, countedFrom: Date = NOW) => ({ issued, countedFrom });
  const issued = (at: Date, before: ReturnType<typeof last> | null) =>
    issuedHandOver({ ...NEW, issuedAt: at }, OWNER, before);

  it('the first code of a verification begins its window', () => {
    expect(issued(after(5), null)).toEqual({ ...CODE, issuedAt: after(5), countedFrom: after(5), issued: 1 });
  });

  it('later codes count in the same window, the fifth included', () => {
    expect(issued(after(5), last(MAX_HAND_OVERS - 1))).toMatchObject({ countedFrom: NOW, issued: MAX_HAND_OVERS });
    expect(issued(after(5), last(MAX_HAND_OVERS))).toBeNull();
  });

  it('a new window begins an hour after the first code of the last one', () => {
    const end = after(60 * MINUTE);
    expect(
      issuedHandOver({ ...NEW, issuedAt: end }, { ...OWNER, linkExpiresAt: after(90 * MINUTE) }, last(5)),
    ).toMatchObject({ countedFrom: end, issued: 1 });
    expect(issued(after(60 * MINUTE - 1), last(MAX_HAND_OVERS))).toBeNull();
  });

  it.each([{ status: 'approved' as const }, { linkVersion: 3 }, { linkExpiresAt: NOW }])(
    'a verification that has no use for a code gets none: %j',
    (owner) => {
      expect(issuedHandOver(NEW, { ...OWNER, ...owner }, null)).toBeNull();
    },
  );
});

describe('nextHandOverAt', () => {
  it.each([
    ['immediately below the limit', MAX_HAND_OVERS - 1, 0, null],
    ['after its window at the limit', MAX_HAND_OVERS, 60 * MINUTE - 1, after(60 * MINUTE)],
    ['immediately when the window has ended', MAX_HAND_OVERS, 60 * MINUTE, null],
  ])('a verification gets another code %s', (_what, issued, at, next) => {
    expect(nextHandOverAt({ countedFrom: NOW, issued }, after(at))).toEqual(next);
  });
});
