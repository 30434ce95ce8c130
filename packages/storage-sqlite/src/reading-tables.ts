import * as tables from '@countersign/tables';
import { foreignKey, primaryKey } from './drizzle.ts';
import { verifications } from './schema.ts';
import { tableOf } from './tables/dialect.ts';

export const readings = tableOf(tables.readings, null, (table) => [
  primaryKey({ name: 'readings_pk', columns: [table.clientId, table.verificationId, table.fileId] }),
  foreignKey({
    name: 'readings_known_verification',
    columns: [table.verificationId],
    foreignColumns: [verifications.id],
  }),
]);
