import type { SecretEntry, WebhookRepository } from '@countersign/domain/storage';
import { isAfter } from '@countersign/statements';
import { compile, parameter } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { sql } from '../../drizzle.ts';
import { webhookEndpoints } from '../../webhook-tables.ts';

type SecretOperations = Pick<
  WebhookRepository,
  'countSecretsNotWrappedBy' | 'listSecretsNotWrappedBy' | 'replaceSecret'
>;

/** The columns of each secret. */
const PLACES = {
  secret: [webhookEndpoints.secret, webhookEndpoints.secretWrappedBy],
  previousSecret: [webhookEndpoints.previousSecret, webhookEndpoints.previousSecretWrappedBy],
  olderSecret: [webhookEndpoints.olderSecret, webhookEndpoints.olderSecretWrappedBy],
} as const;

export function createSecrets({ connection, read, readPage, write }: Session): SecretOperations {
  const secrets = sql.join(
    Object.entries(PLACES).map(
      ([which, [value, wrappedBy]]) => sql`
        select client_id, id, ${sql.raw(`'${which}'`)} as which, ${value} as value, ${wrappedBy} as wrapped_by
        from ${webhookEndpoints} where ${value} is not null and ${wrappedBy} is not ${parameter('key')}`,
    ),
    sql` union all `,
  );
  const count = compile(connection, sql`select count(*) from (${secrets})`);
  const page = compile(
    connection,
    sql`select * from (${secrets}) where ${isAfter([sql`id`, sql`which`], ['afterId', 'afterWhich'].map(parameter))}
      order by id, which limit ${sql.placeholder('limit')}`,
  );
  const replacing = (which: SecretEntry['which']) => {
    const [value, wrappedBy] = PLACES[which];
    const set = sql`${sql.identifier(value.name)} = ${parameter('value')},
      ${sql.identifier(wrappedBy.name)} = ${parameter('wrappedBy')}`;
    return compile(
      connection,
      sql`update ${webhookEndpoints} set ${set}
        where ${webhookEndpoints.clientId} = ${parameter('clientId')}
          and ${webhookEndpoints.id} = ${parameter('endpointId')}
          and ${value} = ${parameter('storedValue')} and ${wrappedBy} is ${parameter('storedWrappedBy')}`,
    );
  };
  const replace = {
    secret: replacing('secret'),
    previousSecret: replacing('previousSecret'),
    olderSecret: replacing('olderSecret'),
  };

  return {
    countSecretsNotWrappedBy: (key) => read(() => Number(count.get({ key })?.[0] ?? 0)),

    listSecretsNotWrappedBy: (key, after, limit) =>
      readPage(() => {
        // No id is less than the empty text.
        const position = { afterId: after?.endpointId ?? '', afterWhich: after?.which ?? '' };
        return page.all({ key, limit, ...position }).map((columns) => {
          const [clientId, endpointId, which, value, wrappedBy] = columns as [
            string,
            string,
            SecretEntry['which'],
            string,
            string | null,
          ];
          return { clientId, endpointId, which, stored: { value, wrappedBy } };
        });
      }),

    replaceSecret: ({ clientId, endpointId, which, stored }, next) =>
      write<{ outcome: 'replaced' | 'conflict' }>(() => {
        const changes = replace[which].run({
          clientId,
          endpointId,
          value: next.value,
          wrappedBy: next.wrappedBy,
          storedValue: stored.value,
          storedWrappedBy: stored.wrappedBy,
        });
        return { keep: changes > 0, value: { outcome: changes > 0 ? 'replaced' : 'conflict' } };
      }),
  };
}
