import type { AppearanceOutcome, ClientAppearanceRepository } from '@countersign/domain/storage';
import { assignments, insertInto } from '@countersign/statements';
import { clientFaces } from '../appearance-tables.ts';
import { compile, compileRows, fieldsOf, parameter } from '../connection/compiled.ts';
import { violatedConstraint } from '../connection/connection.ts';
import type { Session } from '../connection/session.ts';
import { getTableColumns, sql } from '../drizzle.ts';
import { appearanceEntryRows, appearanceRows } from '../tables/rows.ts';

const { clientId: OF_CLIENT, logoId: LOGO_ID } = clientFaces;
const { logo: _, ...WITHOUT_CONTENT } = getTableColumns(clientFaces);
type AppearanceRow = Omit<typeof clientFaces.$inferSelect, 'logo'>;

/** The repository of appearances. It prepares the statements of pages; changes are rare. */
export function createAppearanceRepository({ connection, read, write }: Session): ClientAppearanceRepository {
  const one = compileRows<AppearanceRow>(
    connection,
    sql`select ${fieldsOf(WITHOUT_CONTENT)} from ${clientFaces} where ${OF_CLIENT} = ${parameter('clientId')}`,
  );
  const content = compile(
    connection,
    sql`select ${clientFaces.logo} from ${clientFaces}
      where ${OF_CLIENT} = ${parameter('clientId')} and ${LOGO_ID} = ${parameter('logoId')}`,
  );

  const change = (clientId: string, columns: Partial<typeof clientFaces.$inferInsert>) =>
    write<AppearanceOutcome>(() => {
      const set = Object.keys(columns);
      const insert = sql`${insertInto(clientFaces, {}, ['clientId', ...set])} on conflict (client_id)
        do update set ${assignments(clientFaces, set)} returning ${fieldsOf(WITHOUT_CONTENT)}`;
      try {
        const [row] = compileRows<AppearanceRow>(connection, insert).all({ clientId, ...columns });
        return {
          keep: true,
          value: { outcome: 'changed', appearance: appearanceRows.fromRow(row as AppearanceRow) },
        };
      } catch (error) {
        if (violatedConstraint(error) !== 'knownClient') throw error;
        return { keep: false, value: { outcome: 'client_not_found' } };
      }
    });

  return {
    find: (clientId) =>
      read(() => {
        const row = one.get({ clientId });
        return row === undefined ? null : appearanceRows.fromRow(row);
      }),
    setDetails: (clientId, details) => change(clientId, appearanceEntryRows.toColumns({ details })),
    setLogo: (clientId, logo) => change(clientId, appearanceEntryRows.toColumns({ logo })),
    logoContent: (clientId, logoId) =>
      read(() => {
        const logo = content.get({ clientId, logoId })?.[0];
        return logo instanceof Uint8Array ? new Uint8Array(logo) : null;
      }),
  };
}
