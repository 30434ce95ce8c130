import { parseEnum, parseRow, type SecretEntry, type WebhookRepository } from '@countersign/domain/storage';
import type { Session } from '../../connection/session.ts';
import { parameter, statementOf } from '../../connection/statement.ts';
import { sql } from '../../drizzle.ts';
import { areIds, parseInteger, parseText, parseTextOrNull, type Row } from '../../rows/parse-row.ts';
import { webhookEndpoints } from '../../schema.ts';
import { THE_ENDPOINT } from './endpoints.ts';

type SecretOperations = Pick<
  WebhookRepository,
  'countSecretsNotWrappedBy' | 'listSecretsNotWrappedBy' | 'replaceSecret'
>;

const { clientId, id } = webhookEndpoints;

/** The columns of each secret of an endpoint, in the order of `listSecretsNotWrappedBy`. */
const COLUMNS = {
  olderSecret: { value: webhookEndpoints.olderSecret, wrappedBy: webhookEndpoints.olderSecretWrappedBy },
  previousSecret: { value: webhookEndpoints.previousSecret, wrappedBy: webhookEndpoints.previousSecretWrappedBy },
  secret: { value: webhookEndpoints.secret, wrappedBy: webhookEndpoints.secretWrappedBy },
} as const;
type Which = SecretEntry['which'];
const WHICH = Object.keys(COLUMNS) as Which[];

const STORED = sql.join(
  WHICH.map((which) => {
    const { value, wrappedBy } = COLUMNS[which];
    return sql`
      select ${clientId}, ${id}, ${sql.raw(`'${which}'`)} collate "C" as which, ${value} as value, ${wrappedBy} as wrapped_by
      from ${webhookEndpoints} where ${value} is not null and ${wrappedBy} is distinct from ${parameter('key')}`;
  }),
  sql` union all `,
);

const COUNT = statementOf(sql`select count(*) from (${STORED}) as stored`);
const FIRST = page(sql`true`);
const NEXT = page(sql`(id, which) > (${parameter('endpointId')}, ${parameter('which')})`);

const REPLACE = {
  secret: replaceOf('secret'),
  previousSecret: replaceOf('previousSecret'),
  olderSecret: replaceOf('olderSecret'),
};

export function createSecrets({ read, write }: Session): SecretOperations {
  return {
    async countSecretsNotWrappedBy(key) {
      const [row] = await read(COUNT, { key });
      return parseInteger('count', Number(row?.[0]));
    },

    async listSecretsNotWrappedBy(key, after, limit) {
      const rows = await (after === null
        ? read(FIRST, { key, limit })
        : read(NEXT, { key, endpointId: after.endpointId, which: after.which, limit }));
      return rows.map(entryOf);
    },

    async replaceSecret({ clientId: client, endpointId, which, stored }, next) {
      if (!areIds(client, endpointId)) return { outcome: 'conflict' };
      const { count } = await write(REPLACE[which], {
        clientId: client,
        endpointId,
        value: next.value,
        wrappedBy: next.wrappedBy,
        expectedValue: stored.value,
        expectedWrappedBy: stored.wrappedBy,
      });
      return { outcome: count === 1 ? 'replaced' : 'conflict' };
    },
  };
}

function page(after: ReturnType<typeof sql>) {
  return statementOf(sql`
    select * from (${STORED}) as stored where ${after} order by id, which limit ${parameter('limit')}`);
}

function replaceOf(which: Which) {
  const { value, wrappedBy } = COLUMNS[which];
  return statementOf(sql`
    update ${webhookEndpoints}
    set ${sql.identifier(value.name)} = ${parameter('value')}, ${sql.identifier(wrappedBy.name)} = ${parameter('wrappedBy')}
    where ${THE_ENDPOINT} and ${value} = ${parameter('expectedValue')}
      and ${wrappedBy} is not distinct from ${parameter('expectedWrappedBy')}`);
}

function entryOf(row: Row): SecretEntry {
  return parseRow('secret of webhook endpoint', row[1], () => ({
    clientId: parseText('client_id', row[0]),
    endpointId: parseText('id', row[1]),
    which: parseEnum('which', WHICH, row[2]),
    stored: { value: parseText('value', row[3]), wrappedBy: parseTextOrNull('wrapped_by', row[4]) },
  }));
}
