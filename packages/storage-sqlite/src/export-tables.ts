import { EXPORT_CODE_ATTEMPTS, EXPORT_REQUESTERS } from '@countersign/domain/exports';
import {
  check,
  foreignKey,
  index,
  integer,
  oneOf,
  primaryKey,
  sql,
  sqliteTable,
  text,
  uniqueIndex,
} from './drizzle.ts';
import { verifications } from './schema.ts';

/** Exports of people's data: one at most for each verification. They hold no personal data. */
export const exportRequests = sqliteTable(
  'export_requests',
  {
    clientId: text('client_id').notNull(),
    id: text('id').notNull(),
    verificationId: text('verification_id').notNull(),
    requestedAt: integer('requested_at').notNull(),
    requestedBy: text('requested_by').notNull(),
    releasedAt: integer('released_at'),
    releasedBy: text('released_by'),
    codeHash: text('code_hash'),
    linkVersion: integer('link_version').notNull(),
    expiresAt: integer('expires_at'),
    wrongCodes: integer('wrong_codes').notNull(),
    downloadedAt: integer('downloaded_at'),
    downloads: integer('downloads').notNull().default(0),
    declinedAt: integer('declined_at'),
    declineReason: text('decline_reason'),
  },
  (table) => [
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
    check('export_requests_known_requester', oneOf(table.requestedBy, EXPORT_REQUESTERS)),
    check(
      'export_requests_release_whole',
      sql`(${table.releasedAt} is null) = (${table.codeHash} is null) and (${table.releasedAt} is null) = (${table.expiresAt} is null)
        and (${table.releasedAt} is null) = (${table.linkVersion} = 0)
        and (${table.releasedAt} is not null or (${table.releasedBy} is null and ${table.downloadedAt} is null and ${table.wrongCodes} = 0))`,
    ),
    check(
      'export_requests_wrong_codes_in_range',
      sql`${table.wrongCodes} between 0 and ${sql.raw(String(EXPORT_CODE_ATTEMPTS))}`,
    ),
  ],
);
