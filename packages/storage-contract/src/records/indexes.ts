import type {
  ClientLabel,
  IndexedVerification,
  IndexKey,
  IndexLabel,
  Storage,
  VerificationLabels,
} from '@countersign/domain/storage';
import { expect } from 'vitest';
import { clientId, verificationId } from './ids.ts';

/** A key of the first client, not encrypted. */
export function anIndexKey(version: number = 1, given: Partial<IndexKey> = {}): IndexKey {
  return { clientId: clientId(1), version, value: `value ${version}`, wrappedBy: null, ...given };
}

/** The `n`th label. Labels differ in case alone too. */
export function aLabel(n: number, purpose: IndexLabel['purpose'] = 'email'): IndexLabel {
  return { purpose, label: `${n % 2 === 0 ? 'label' : 'LABEL'}-_${n}` };
}

/** The label in the index of the client. */
export function ofClient(label: IndexLabel, owner = 1): ClientLabel {
  return { clientId: clientId(owner), ...label };
}

/** Labels of the numbers, made with a key. */
export function someLabels(...numbers: readonly number[]): VerificationLabels {
  return { keyVersion: 1, rulesVersion: 1, labels: numbers.map((n) => aLabel(n)) };
}

/** The place of the `n`th verification. */
export function labelled(n: number, owner = 1): Pick<IndexedVerification, 'clientId' | 'verificationId'> {
  return { clientId: clientId(owner), verificationId: verificationId(n) };
}

/** Adds a key. */
export async function givenIndexKey(storage: Storage, key: IndexKey = anIndexKey()): Promise<IndexKey> {
  expect(await storage.indexes.addKey(key), 'set-up of the case: indexes.addKey').toBe(true);
  return key;
}
