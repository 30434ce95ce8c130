import { ANSWERABLE_STATUSES, type IndexRepository } from '@countersign/domain/storage';
import { every, insertInto, isAfter } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { compile, compileRows, fieldsOf, parameter } from '../connection/compiled.ts';
import { violatedConstraint } from '../connection/connection.ts';
import type { Session } from '../connection/session.ts';
import { oneOf, sql } from '../drizzle.ts';
import { indexEntries, indexedVerifications, indexKeys } from '../index-tables.ts';
import { verifications } from '../schema.ts';
import { indexKeyRows } from '../tables/rows.ts';
import { createLabels } from './labels.ts';

const { clientId, version, value, wrappedBy } = indexKeys;
const OF_CLIENT = sql`${clientId} = ${parameter('clientId')}`;
const THE_KEY = sql`${OF_CLIENT} and ${version} = ${parameter('version')}`;
const NEWEST = (client: SQL): SQL => sql`(select max(version) from ${indexKeys} where client_id = ${client})`;

/** Verifications whose labels are missing, or of another key or earlier rules. */
const BEHIND = sql`${verifications.submittedAt} is not null and ${verifications.erasedAt} is null
  and not ${oneOf(verifications.status, ANSWERABLE_STATUSES)}
  and not exists (
    select 1 from ${indexedVerifications} as indexed
    where indexed.client_id = ${verifications.clientId} and indexed.verification_id = ${verifications.id}
      and indexed.rules_version >= ${parameter('rulesVersion')}
      and indexed.key_version = ${NEWEST(sql`indexed.client_id`)}
  )`;

export function createIndexRepository(session: Session): IndexRepository {
  return { ...createKeys(session), ...createEntries(session), ...createBehind(session) };
}

type Keys = Pick<
  IndexRepository,
  'keys' | 'addKey' | 'removeKey' | 'countKeysNotWrappedBy' | 'listKeysNotWrappedBy' | 'replaceKey'
>;

function createKeys({ connection, read, readPage, write }: Session): Keys {
  const keys = (rest: SQL) =>
    compileRows<typeof indexKeys.$inferSelect>(
      connection,
      sql`select ${fieldsOf(indexKeys)} from ${indexKeys} where ${rest}`,
    );
  const ofClient = keys(sql`${OF_CLIENT} order by ${version} desc`);
  const add = compile(connection, sql`${insertInto(indexKeys)} on conflict do nothing`);
  const remove = compile(
    connection,
    sql`delete from ${indexKeys} where ${THE_KEY} and ${version} < ${NEWEST(parameter('clientId'))}
      and not exists (
        select 1 from ${indexedVerifications} where ${indexedVerifications.clientId} = ${parameter('clientId')}
          and ${indexedVerifications.keyVersion} = ${parameter('version')}
      )`,
  );
  const otherKey = sql`${wrappedBy} is not ${parameter('key')}`;
  const count = compile(connection, sql`select count(*) from ${indexKeys} where ${otherKey}`);
  const page =
    keys(sql`${otherKey} and ${isAfter([clientId, version], ['afterClient', 'afterVersion'].map(parameter))}
    order by ${clientId}, ${version} limit ${sql.placeholder('limit')}`);
  const replace = compile(
    connection,
    sql`update ${indexKeys} set value = ${parameter('nextValue')}, wrapped_by = ${parameter('nextWrappedBy')}
      where ${THE_KEY} and ${value} = ${parameter('value')} and ${wrappedBy} is ${parameter('wrappedBy')}`,
  );
  const changed = (run: () => number) =>
    write<boolean>(() => {
      const isChanged = run() > 0;
      return { keep: isChanged, value: isChanged };
    });

  return {
    keys: (client) => read(() => ofClient.all({ clientId: client }).map(indexKeyRows.fromRow)),

    addKey: (key) =>
      write<boolean>(() => {
        try {
          const isAdded = add.run(indexKeyRows.toRow(key)) > 0;
          return { keep: isAdded, value: isAdded };
        } catch (error) {
          if (violatedConstraint(error) !== 'knownClient') throw error;
          return { keep: false, value: false };
        }
      }),

    removeKey: (key) => changed(() => remove.run(key)),

    countKeysNotWrappedBy: (key) => read(() => Number(count.get({ key })?.[0] ?? 0)),

    listKeysNotWrappedBy: (key, after, limit) =>
      readPage(() => {
        // No id is less than the empty text.
        const position = { afterClient: after?.clientId ?? '', afterVersion: after?.version ?? 0 };
        return page.all({ key, limit, ...position }).map(indexKeyRows.fromRow);
      }),

    async replaceKey(stored, next) {
      const values = { ...indexKeyRows.toRow(stored), nextValue: next.value, nextWrappedBy: next.wrappedBy };
      return { outcome: (await changed(() => replace.run(values))) ? 'replaced' : 'conflict' };
    },
  };
}

function createEntries(session: Session): Pick<IndexRepository, 'find' | 'save'> {
  const { connection, readAtOnce, write } = session;
  const labels = createLabels(session);
  const find = compile(
    connection,
    sql`select ${indexEntries.verificationId} from ${indexEntries}
      where ${indexEntries.clientId} = ${parameter('clientId')} and ${indexEntries.purpose} = ${parameter('purpose')}
        and ${indexEntries.label} = ${parameter('label')} and ${indexEntries.verificationId} is not ${parameter('except')}
      order by ${indexEntries.verificationId} desc limit ${sql.placeholder('limit')}`,
  );
  /**
   * Positions of the labels that other verifications have. Usually there are none, and one statement for all labels takes less time than one
   * for each.
   */
  const taken = compile(
    connection,
    sql`select key from json_each(${parameter('labels')}) where exists (
        select 1 from ${indexEntries}
        where ${indexEntries.clientId} = value ->> 'clientId' and ${indexEntries.purpose} = value ->> 'purpose'
          and ${indexEntries.label} = value ->> 'label' and ${indexEntries.verificationId} is not ${parameter('except')}
      )`,
  );
  const owner = compile(
    connection,
    sql`select 1 from ${verifications} where ${verifications.id} = ${parameter('verificationId')}
      and ${verifications.clientId} = ${parameter('clientId')} and ${verifications.version} = ${parameter('version')}
      and ${verifications.erasedAt} is null and not ${oneOf(verifications.status, ANSWERABLE_STATUSES)}`,
  );

  return {
    find: ({ labels: sought, except = null, limit }) =>
      readAtOnce(() =>
        taken.all({ labels: JSON.stringify(sought), except }).flatMap(([position]) => {
          const one = sought[Number(position)];
          if (one === undefined) return [];
          const { clientId: client, purpose, label } = one;
          return find.all({ clientId: client, purpose, label, except, limit }).map(([verificationId]) => ({
            clientId: client,
            purpose,
            label,
            verificationId: String(verificationId),
          }));
        }),
      ),

    save: ({ clientId: client, verificationId }, given, expectedVersion) =>
      write<boolean>(() => {
        const isCurrent = owner.get({ clientId: client, verificationId, version: expectedVersion }) !== undefined;
        const isSaved = isCurrent && labels.put(client, verificationId, given);
        return { keep: isSaved, value: isSaved };
      }),
  };
}

function createBehind({ connection, readPage }: Session): Pick<IndexRepository, 'listBehind' | 'countBehind'> {
  const which = (condition: SQL) => {
    const behind = every([condition, BEHIND]);
    return {
      page: compile(
        connection,
        sql`select ${verifications.clientId}, ${verifications.id} from ${verifications}
          where ${verifications.id} > ${parameter('after')} and ${behind}
          order by ${verifications.id} limit ${sql.placeholder('limit')}`,
      ),
      count: compile(connection, sql`select count(*) from ${verifications} where ${behind}`),
    };
  };
  const all = which(sql`true`);
  const ofClient = which(sql`${verifications.clientId} = ${parameter('clientId')}`);
  const statements = (client: string | undefined) => (client === undefined ? all : ofClient);

  return {
    listBehind: ({ rulesVersion, clientId: client, after, limit }) =>
      readPage(() => {
        const values = { rulesVersion, clientId: client, after: after ?? '', limit };
        return statements(client)
          .page.all(values)
          .map(([owner, id]) => ({ clientId: String(owner), verificationId: String(id) }));
      }),

    countBehind: ({ rulesVersion, clientId: client }) =>
      readPage(() => Number(statements(client).count.get({ rulesVersion, clientId: client })?.[0] ?? 0)),
  };
}
