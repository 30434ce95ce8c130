import {
  INDEX_PURPOSES,
  type IndexEntry,
  type IndexedVerification,
  type IndexKey,
} from '@countersign/domain/storage';
import { table } from '../table.ts';

/** The keys that terms of a client are labelled with. */
export const indexKeys = table<IndexKey>()({
  name: 'index_keys',
  called: 'index key of the client',
  by: 'clientId',
  key: ['clientId', 'version'],
  columns: {
    clientId: { kind: 'id' },
    version: { kind: 'integer' },
    value: { kind: 'text' },
    wrappedBy: { kind: 'text', nullable: true },
  },
});

/** Verifications that are labelled. */
export const indexedVerifications = table<IndexedVerification>()({
  name: 'indexed_verifications',
  called: 'index of the verification',
  key: ['clientId', 'verificationId'],
  columns: {
    clientId: { kind: 'id' },
    verificationId: { kind: 'id' },
    keyVersion: { kind: 'integer' },
    rulesVersion: { kind: 'integer' },
  },
});

/** The labels of verifications. */
export const indexEntries = table<IndexEntry>()({
  name: 'index_entries',
  called: 'label of the verification',
  key: ['clientId', 'purpose', 'label', 'verificationId'],
  columns: {
    clientId: { kind: 'id' },
    purpose: { kind: 'choice', of: INDEX_PURPOSES, ordered: true, checked: true },
    label: { kind: 'text', ordered: true },
    verificationId: { kind: 'id' },
  },
});
