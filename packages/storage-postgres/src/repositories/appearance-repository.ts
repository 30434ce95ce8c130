import type { AppearanceOutcome, ClientAppearanceRepository } from '@countersign/domain/storage';
import type { Session } from '../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf, type Value } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds, parseText } from '../rows/parse-row.ts';
import { clientFaces, clients } from '../schema.ts';
import { appearanceEntryRows, appearanceRows } from '../tables/rows.ts';

/** The columns of an appearance in the order of the schema, without the content. */
const APPEARANCE = columnsOf(clientFaces, { logo: sql`null` });

const FIND = statementOf(
  sql`select ${APPEARANCE} from ${clientFaces} where ${clientFaces.clientId} = ${parameter('clientId')}`,
);
const CONTENT = statementOf(sql`
  select encode(${clientFaces.logo}, 'hex') from ${clientFaces}
  where ${clientFaces.clientId} = ${parameter('clientId')} and ${clientFaces.logoId} = ${parameter('logoId')}::bytea`);
const SET_DETAILS = statementOf(sql`
  insert into ${clientFaces} (client_id, display_name, colour, support_address, privacy_address)
  select id, ${parameter('displayName')}, ${parameter('colour')}, ${parameter('supportAddress')}, ${parameter('privacyAddress')}
  from ${clients} where id = ${parameter('clientId')}
  on conflict (client_id) do update set display_name = excluded.display_name, colour = excluded.colour,
    support_address = excluded.support_address, privacy_address = excluded.privacy_address
  returning ${APPEARANCE}`);
const SET_LOGO = statementOf(sql`
  insert into ${clientFaces} (client_id, logo_id, logo_width, logo_height, logo)
  select id, ${parameter('logoId')}::bytea, ${parameter('logoWidth')}::integer, ${parameter('logoHeight')}::integer,
    ${parameter('logo')}::bytea
  from ${clients} where id = ${parameter('clientId')}
  on conflict (client_id) do update set logo_id = excluded.logo_id, logo_width = excluded.logo_width,
    logo_height = excluded.logo_height, logo = excluded.logo
  returning ${APPEARANCE}`);

const LOGO_ID = /^[\da-f]{64}$/;

/** The repository of appearances. */
export function createAppearanceRepository({ read, write }: Session): ClientAppearanceRepository {
  async function change(
    statement: Statement,
    clientId: string,
    values: Readonly<Record<string, Value>>,
  ): Promise<AppearanceOutcome> {
    if (!areIds(clientId)) return { outcome: 'client_not_found' };
    const [row] = await write(statement, { clientId, ...values });
    return row === undefined
      ? { outcome: 'client_not_found' }
      : { outcome: 'changed', appearance: appearanceRows.fromRow(row) };
  }

  return {
    async find(clientId) {
      if (!areIds(clientId)) return null;
      const [row] = await read(FIND, { clientId });
      return row === undefined ? null : appearanceRows.fromRow(row);
    },
    setDetails: (clientId, details) => change(SET_DETAILS, clientId, appearanceEntryRows.toColumns({ details })),
    setLogo: (clientId, logo) => change(SET_LOGO, clientId, appearanceEntryRows.toColumns({ logo })),
    async logoContent(clientId, logoId) {
      if (!areIds(clientId) || !LOGO_ID.test(logoId)) return null;
      const [row] = await read(CONTENT, { clientId, logoId: `\\x${logoId}` });
      return row === undefined ? null : new Uint8Array(Buffer.from(parseText('logo', row[0]), 'hex'));
    },
  };
}
