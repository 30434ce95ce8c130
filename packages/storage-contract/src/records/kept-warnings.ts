import type { Storage, VerificationRepository } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { clientId, verificationId } from './ids.ts';

export type WarningsNote = Parameters<VerificationRepository['noteWarnings']>[0];

/** Warnings of the `n`th verification of the first client, at version 1. */
export function aNote(n: number, given: Partial<WarningsNote> = {}): WarningsNote {
  return {
    clientId: clientId(1),
    verificationId: verificationId(n),
    expectedVersion: 1,
    warnings: { rules: n, list: [{ code: 'under_age', path: "Ł'a \u{1F600}", others: [] }], nothing: null },
    severity: 'warning',
    ...given,
  };
}

/** Keeps warnings of a verification at version 1, unless another is given. */
export async function givenNote(
  storage: Storage,
  n: number,
  given: Partial<WarningsNote> = {},
): Promise<Pick<WarningsNote, 'warnings' | 'severity'>> {
  const note = aNote(n, given);
  const isStored = await storage.verifications.noteWarnings(note);
  expect(isStored, 'set-up of the case: verifications.noteWarnings').toBe(true);
  const { warnings, severity } = note;
  return { warnings, severity };
}
