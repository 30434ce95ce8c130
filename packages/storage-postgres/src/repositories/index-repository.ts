import {
  ANSWERABLE_STATUSES,
  INDEX_PURPOSES,
  type IndexKey,
  type IndexRepository,
  parseEnum,
} from '@countersign/domain/storage';
import * as tables from '@countersign/tables';
import type { SQL } from 'drizzle-orm';
import { violatedConstraint } from '../connection/faults.ts';
import { lookUpTogether, rowsOfIds } from '../connection/look-up-together.ts';
import type { Session } from '../connection/session.ts';
import { columnsOf, insertInto, parameter, statementOf } from '../connection/statement.ts';
import { oneOf, sql } from '../drizzle.ts';
import { areIds, isStorable, parseInteger, parseText } from '../rows/parse-row.ts';
import { indexEntries, indexedVerifications, indexKeys, verifications } from '../schema.ts';
import { indexKeyRows } from '../tables/rows.ts';
import { lacksIndexKey, replaceLabels, valuesOfLabels } from './labels.ts';

export function createIndexRepository(session: Session): IndexRepository {
  return { ...createKeys(session), ...createEntries(session), ...createBehind(session) };
}

const { clientId, version, value, wrappedBy } = indexKeys;
const OF_CLIENT = sql`${clientId} = ${parameter('clientId')}`;
const THE_KEY = sql`${OF_CLIENT} and ${version} = ${parameter('version')}`;
const { clientId: CLIENT_ID } = tables.positionsOf(tables.indexKeys);
const KEYS = sql`select ${columnsOf(indexKeys)} from ${indexKeys}`;
const NOT_WRAPPED_BY = sql`${wrappedBy} is distinct from ${parameter('key')}`;
const newestOf = (client: SQL): SQL =>
  sql`(select max(newest.version) from ${indexKeys} as newest where newest.client_id = ${client})`;

const OF_CLIENTS = statementOf(
  sql`select ${columnsOf(indexKeys)} from ${rowsOfIds(indexKeys, clientId)} order by ${version} desc`,
);
const ADD = statementOf(sql`${insertInto(indexKeys)} on conflict do nothing`);
/** A verification that is labelled meanwhile refers to the key, and its constraint refuses the deletion. */
const REMOVE = statementOf(sql`
  delete from ${indexKeys} where ${THE_KEY} and ${version} < ${newestOf(sql`${clientId}`)}
    and not exists (
      select 1 from ${indexedVerifications}
      where ${indexedVerifications.clientId} = ${clientId} and ${indexedVerifications.keyVersion} = ${version}
    )`);
const COUNT_KEYS = statementOf(sql`select count(*) from ${indexKeys} where ${NOT_WRAPPED_BY}`);
const KEYS_PAGE = statementOf(sql`
  ${KEYS} where ${NOT_WRAPPED_BY}
    and (${clientId}, ${version}) > (${parameter('clientId')}::uuid, ${parameter('version')}::integer)
  order by ${clientId}, ${version} limit ${parameter('limit')}`);
const REPLACE_KEY = statementOf(sql`
  update ${indexKeys} set value = ${parameter('nextValue')}, wrapped_by = ${parameter('nextWrappedBy')}
  where ${THE_KEY} and ${value} = ${parameter('value')} and ${wrappedBy} is not distinct from ${parameter('wrappedBy')}`);

/** No id is less. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type Keys = Pick<
  IndexRepository,
  'keys' | 'addKey' | 'removeKey' | 'countKeysNotWrappedBy' | 'listKeysNotWrappedBy' | 'replaceKey'
>;

function createKeys(session: Session): Keys {
  const { read, write } = session;
  const keysOf = lookUpTogether(session, OF_CLIENTS, (row) => row[CLIENT_ID]);
  const valuesOf = (key: IndexKey) => ({ ...key });
  return {
    async keys(client) {
      return areIds(client) ? (await keysOf(client)).map(indexKeyRows.fromRow) : [];
    },

    async addKey(key) {
      if (!areIds(key.clientId)) return false;
      try {
        return (await write(ADD, valuesOf(key))).count > 0;
      } catch (error) {
        if (violatedConstraint(error) === 'index_keys_client') return false;
        throw error;
      }
    },

    async removeKey({ clientId: client, version: removed }) {
      if (!areIds(client)) return false;
      try {
        return (await write(REMOVE, { clientId: client, version: removed })).count > 0;
      } catch (error) {
        if (lacksIndexKey(error)) return false;
        throw error;
      }
    },

    async countKeysNotWrappedBy(key) {
      const [row] = await read(COUNT_KEYS, { key });
      return parseInteger('count', Number(row?.[0]));
    },

    async listKeysNotWrappedBy(key, after, limit) {
      const position = { clientId: after?.clientId ?? FIRST_ID, version: after?.version ?? 0 };
      return (await read(KEYS_PAGE, { key, limit, ...position })).map(indexKeyRows.fromRow);
    },

    async replaceKey(stored, next) {
      if (!areIds(stored.clientId)) return { outcome: 'conflict' };
      const values = { ...valuesOf(stored), nextValue: next.value, nextWrappedBy: next.wrappedBy };
      const { count } = await write(REPLACE_KEY, values);
      return { outcome: count > 0 ? 'replaced' : 'conflict' };
    },
  };
}

/** Reads each label from its range of the index, up to the limit. */
const FIND = statementOf(sql`
  select sought."clientId", sought.purpose, sought.label, match.verification_id
  from json_to_recordset(${parameter('labels')}::json) as sought ("clientId" uuid, purpose text, label text)
  cross join lateral (
    select ${indexEntries.verificationId} from ${indexEntries}
    where ${indexEntries.clientId} = sought."clientId" and ${indexEntries.purpose} = sought.purpose
      and ${indexEntries.label} = sought.label
      and ${indexEntries.verificationId} is distinct from ${parameter('except')}::uuid
    order by ${indexEntries.verificationId} desc limit ${parameter('limit')}
  ) as match`);

/** Locks the verification, so that a commit or an erasure comes before this statement or after it. */
const SAVE = statementOf(sql`
  with verification as materialized (
    select ${verifications.clientId}, ${verifications.id} from ${verifications}
    where ${verifications.clientId} = ${parameter('clientId')} and ${verifications.id} = ${parameter('verificationId')}
      and ${verifications.version} = ${parameter('version')}::integer and ${verifications.erasedAt} is null
      and not ${oneOf(verifications.status, ANSWERABLE_STATUSES)}
    for no key update
  ), ${replaceLabels(sql`verification`)}
  select count(*)::integer from verification`);

function createEntries({ read, write }: Session): Pick<IndexRepository, 'find' | 'save'> {
  return {
    async find({ labels, except = null, limit }) {
      const storable = labels.filter(({ clientId: client, label }) => areIds(client) && isStorable(label));
      if (storable.length === 0) return [];
      const left = except !== null && areIds(except) ? except : null;
      const rows = await read(FIND, { labels: JSON.stringify(storable), except: left, limit });
      return rows.map(([client, purpose, label, verificationId]) => ({
        clientId: parseText('client_id', client),
        purpose: parseEnum('purpose', INDEX_PURPOSES, purpose),
        label: parseText('label', label),
        verificationId: parseText('verification_id', verificationId),
      }));
    },

    async save({ clientId: client, verificationId }, labels, expectedVersion) {
      if (!areIds(client, verificationId)) return false;
      const place = { clientId: client, verificationId, version: expectedVersion };
      try {
        const [row] = await write(SAVE, { ...place, ...valuesOfLabels(labels) });
        return row?.[0] === 1;
      } catch (error) {
        if (lacksIndexKey(error)) return false;
        throw error;
      }
    },
  };
}

/** Verifications whose labels are missing, or of another key or earlier rules. */
const BEHIND = sql`${verifications.submittedAt} is not null and ${verifications.erasedAt} is null
  and not ${oneOf(verifications.status, ANSWERABLE_STATUSES)}
  and not exists (
    select 1 from ${indexedVerifications}
    where ${indexedVerifications.clientId} = ${verifications.clientId}
      and ${indexedVerifications.verificationId} = ${verifications.id}
      and ${indexedVerifications.rulesVersion} >= ${parameter('rulesVersion')}::integer
      and ${indexedVerifications.keyVersion} = ${newestOf(sql`${verifications.clientId}`)}
  )`;

const behindOf = (which: SQL) => ({
  page: statementOf(sql`
    select ${verifications.clientId}, ${verifications.id} from ${verifications}
    where ${verifications.id} > ${parameter('after')} and ${which} and ${BEHIND}
    order by ${verifications.id} limit ${parameter('limit')}`),
  count: statementOf(sql`select count(*) from ${verifications} where ${which} and ${BEHIND}`),
});
const BEHIND_OF_ALL = behindOf(sql`true`);
const BEHIND_OF_CLIENT = behindOf(sql`${verifications.clientId} = ${parameter('clientId')}`);

function createBehind({ read }: Session): Pick<IndexRepository, 'listBehind' | 'countBehind'> {
  return {
    async listBehind({ rulesVersion, clientId: client, after, limit }) {
      if (client !== undefined && !areIds(client)) return [];
      const { page } = client === undefined ? BEHIND_OF_ALL : BEHIND_OF_CLIENT;
      const values = {
        rulesVersion,
        after: after ?? FIRST_ID,
        limit,
        ...(client !== undefined && { clientId: client }),
      };
      return (await read(page, values)).map(([owner, id]) => ({
        clientId: parseText('client_id', owner),
        verificationId: parseText('id', id),
      }));
    },

    async countBehind({ rulesVersion, clientId: client }) {
      if (client !== undefined && !areIds(client)) return 0;
      const { count } = client === undefined ? BEHIND_OF_ALL : BEHIND_OF_CLIENT;
      const [row] = await read(count, { rulesVersion, ...(client !== undefined && { clientId: client }) });
      return parseInteger('count', Number(row?.[0]));
    },
  };
}
