import * as tables from '@countersign/tables';
import { foreignKey, index, primaryKey, sql, uniqueIndex } from './drizzle.ts';
import { verifications } from './schema.ts';
import { tableOf } from './tables/dialect.ts';

export const exportRequests = tableOf(tables.exportRequests, null, (table) => [
  primaryKey({ name: 'export_requests_pk', columns: [table.clientId, table.id] }),
  uniqueIndex('export_requests_id').on(table.id),
  uniqueIndex('export_requests_verification').on(table.verificationId),
  foreignKey({
    name: 'export_requests_known_verification',
    columns: [table.verificationId],
    foreignColumns: [verifications.id],
  }),
  // Index for deleting ended exports, oldest first.
  index('export_requests_expiry').on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
  // Index for deleting declined ones.
  index('export_requests_declined').on(table.declinedAt).where(sql`${table.declinedAt} is not null`),
]);
