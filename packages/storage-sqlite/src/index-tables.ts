import * as tables from '@countersign/tables';
import { foreignKey, index, primaryKey } from './drizzle.ts';
import { clients, verifications } from './schema.ts';
import { tableOf } from './tables/dialect.ts';

export const indexKeys = tableOf(tables.indexKeys, null, (table) => [
  primaryKey({ name: 'index_keys_pk', columns: [table.clientId, table.version] }),
  foreignKey({ name: 'index_keys_client', columns: [table.clientId], foreignColumns: [clients.id] }),
]);

export const indexedVerifications = tableOf(tables.indexedVerifications, null, (table) => [
  primaryKey({ name: 'indexed_verifications_pk', columns: [table.clientId, table.verificationId] }),
  foreignKey({
    name: 'indexed_verifications_known_verification',
    columns: [table.verificationId],
    foreignColumns: [verifications.id],
  }),
  foreignKey({
    name: 'indexed_verifications_known_key',
    columns: [table.clientId, table.keyVersion],
    foreignColumns: [indexKeys.clientId, indexKeys.version],
  }),
]);

export const indexEntries = tableOf(tables.indexEntries, null, (table) => [
  // A label is looked up without reading a row.
  primaryKey({
    name: 'index_entries_pk',
    columns: [table.clientId, table.purpose, table.label, table.verificationId],
  }),
  // The labels of a verification, which are replaced and erased.
  index('index_entries_verification').on(table.clientId, table.verificationId),
]);
