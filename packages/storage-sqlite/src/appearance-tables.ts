import { blob, check, integer, sql, sqliteTable, text } from './drizzle.ts';
import { clients } from './schema.ts';

/** How a client appears to its subjects. A client that never changed it has no row. The content comes last, so that other reads skip it. */
export const clientFaces = sqliteTable(
  'client_faces',
  {
    clientId: text('client_id')
      .notNull()
      .primaryKey()
      .references(() => clients.id),
    displayName: text('display_name'),
    /** `#rrggbb`. */
    colour: text('colour'),
    supportAddress: text('support_address'),
    privacyAddress: text('privacy_address'),
    /** SHA-256 of the logo in hexadecimal. */
    logoId: text('logo_id'),
    logoWidth: integer('logo_width'),
    logoHeight: integer('logo_height'),
    /** A PNG. */
    logo: blob('logo', { mode: 'buffer' }),
  },
  (table) => [
    check(
      'client_faces_whole_logo',
      sql`(${table.logoId} is null) = (${table.logo} is null)
        and (${table.logoId} is null) = (${table.logoWidth} is null) and (${table.logoId} is null) = (${table.logoHeight} is null)`,
    ),
  ],
);
