import type { SecretEntry, WebhookRepository } from '@countersign/domain/storage';
import { compile, parameter, prepared } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { and, eq, sql } from '../../drizzle.ts';
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

export function createSecrets({ db, connection, read, readPage, write }: Session): SecretOperations {
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
    sql`select * from (${secrets}) where (id, which) > (${parameter('afterId')}, ${parameter('afterWhich')})
      order by id, which limit ${sql.placeholder('limit')}`,
  );
  const replacing = (which: SecretEntry['which']) => {
    const [value, wrappedBy] = PLACES[which];
    return prepared(
      db
        .update(webhookEndpoints)
        .set({ [which]: parameter('value'), [`${which}WrappedBy`]: parameter('wrappedBy') })
        .where(
          and(
            eq(webhookEndpoints.clientId, parameter('clientId')),
            eq(webhookEndpoints.id, parameter('endpointId')),
            eq(value, parameter('storedValue')),
            sql`${wrappedBy} is ${parameter('storedWrappedBy')}`,
          ),
        ),
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
        const { changes } = replace[which].run({
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
