import * as tables from '@countersign/tables';
import { foreignKey, index, primaryKey } from './drizzle.ts';
import { verifications } from './schema.ts';
import { tableOf } from './tables/dialect.ts';

export const handOverCodes = tableOf(tables.handOverCodes, null, (table) => [
  primaryKey({ name: 'hand_over_codes_pk', columns: [table.clientId, table.verificationId] }),
  foreignKey({
    name: 'hand_over_codes_known_verification',
    columns: [table.verificationId],
    foreignColumns: [verifications.id],
  }),
  // Index for deleting codes, oldest first.
  index('hand_over_codes_issued_at').on(table.issuedAt),
]);
