import * as tables from '@countersign/tables';
import { check, foreignKey, sql } from './drizzle.ts';
import { clients } from './schema.ts';
import { tableOf } from './tables/dialect.ts';

export const clientFaces = tableOf(tables.clientFaces, 'clientId', (table) => [
  foreignKey({ columns: [table.clientId], foreignColumns: [clients.id] }),
  check(
    'client_faces_whole_logo',
    sql`(${table.logoId} is null) = (${table.logo} is null)
        and (${table.logoId} is null) = (${table.logoWidth} is null) and (${table.logoId} is null) = (${table.logoHeight} is null)`,
  ),
]);
