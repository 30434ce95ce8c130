import type { TransferKey, TransferKind } from './transfer-entries.ts';

const WORDS: { readonly [K in TransferKind]: string } = {
  clients: 'client',
  usage: 'usage of client',
  verifications: 'verification',
  events: 'event of verification',
  audit: 'audit line',
  apiKeys: 'key of client',
};

/** For people: what it is, and its key. No value of it. */
export function entryName(kind: TransferKind, key: TransferKey): string {
  return `${WORDS[kind]} ${key.join(' ')}`;
}
