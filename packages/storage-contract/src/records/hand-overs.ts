import { HAND_OVER_LIFETIME_MS } from '@countersign/domain';
import type { HandOverCode, NewHandOver, Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { clientId, minute, verificationId } from './ids.ts';

/** A code of the `n`th verification, for its first link. */
export function aHandOver(n: number, given: Partial<NewHandOver> = {}): NewHandOver {
  const { issuedAt = minute(100, 3) } = given;
  return {
    clientId: clientId(1),
    verificationId: verificationId(n),
    linkVersion: 1,
    codeHash: `hash ${n}`,
    issuedAt,
    expiresAt: new Date(issuedAt.getTime() + HAND_OVER_LIFETIME_MS),
    ...given,
  };
}

/** The code as it is stored: the first of its hour, if nothing else is given. */
export function issuedAs(code: NewHandOver, given: Partial<HandOverCode> = {}): HandOverCode {
  return { ...code, spentAt: null, countedFrom: code.issuedAt, issued: 1, ...given };
}

/** Stores the first code of a verification. */
export async function givenHandOver(
  storage: Storage,
  n: number,
  given: Partial<NewHandOver> = {},
): Promise<HandOverCode> {
  const code = aHandOver(n, given);
  const stored = await storage.handOvers.issue(code);
  expect(stored, 'set-up of the case: handOvers.issue').toEqual(issuedAs(code));
  return issuedAs(code);
}
