import type { AppearanceOutcome, ClientAppearanceRepository } from '@countersign/domain/storage';
import { clientFaces } from '../appearance-tables.ts';
import { parameter, prepared } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, eq, getTableColumns } from '../drizzle.ts';
import { fromAppearanceRow, toDetailColumns, toLogoColumns } from '../rows/appearance-rows.ts';
import { clients } from '../schema.ts';

const { logo: _, ...WITHOUT_CONTENT } = getTableColumns(clientFaces);

/** The repository of appearances. It prepares the statements of pages; changes are rare. */
export function createAppearanceRepository({ db, read, write }: Session): ClientAppearanceRepository {
  const one = prepared(
    db
      .select(WITHOUT_CONTENT)
      .from(clientFaces)
      .where(eq(clientFaces.clientId, parameter('clientId'))),
  );
  const content = prepared(
    db
      .select({ logo: clientFaces.logo })
      .from(clientFaces)
      .where(and(eq(clientFaces.clientId, parameter('clientId')), eq(clientFaces.logoId, parameter('logoId')))),
  );

  const change = (clientId: string, columns: Partial<typeof clientFaces.$inferInsert>) =>
    write<AppearanceOutcome>(() => {
      const client = db.select({ id: clients.id }).from(clients).where(eq(clients.id, clientId)).get();
      if (client === undefined) return { keep: false, value: { outcome: 'client_not_found' } };
      const row = db
        .insert(clientFaces)
        .values({ clientId, ...columns })
        .onConflictDoUpdate({ target: clientFaces.clientId, set: columns })
        .returning(WITHOUT_CONTENT)
        .get();
      return { keep: true, value: { outcome: 'changed', appearance: fromAppearanceRow(row) } };
    });

  return {
    find: (clientId) =>
      read(() => {
        const row = one.get({ clientId });
        return row === undefined ? null : fromAppearanceRow(row);
      }),
    setDetails: (clientId, details) => change(clientId, toDetailColumns(details)),
    setLogo: (clientId, logo) => change(clientId, toLogoColumns(logo)),
    logoContent: (clientId, logoId) =>
      read(() => {
        const logo = content.get({ clientId, logoId })?.logo ?? null;
        return logo === null ? null : new Uint8Array(logo);
      }),
  };
}
