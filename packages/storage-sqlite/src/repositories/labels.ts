import type { KeptLabels, VerificationLabels } from '@countersign/domain/storage';
import { insertInto } from '@countersign/statements';
import { compile, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { indexEntries, indexedVerifications, indexKeys } from '../index-tables.ts';

/** Statements that write the labels of verifications. Each runs within a transaction of the caller. */
export interface Labels {
  /** Replaces or keeps the labels of a verification. Returns false and changes nothing if the client lacks their key. */
  put(clientId: string, verificationId: string, labels: VerificationLabels | KeptLabels): boolean;
}

export function createLabels({ connection }: Pick<Session, 'connection'>): Labels {
  const key = compile(
    connection,
    sql`select 1 from ${indexKeys} where ${indexKeys.clientId} = ${parameter('clientId')}
      and ${indexKeys.version} = ${parameter('keyVersion')}`,
  );
  const removeEntries = compile(
    connection,
    sql`delete from ${indexEntries} where ${indexEntries.clientId} = ${parameter('clientId')}
      and ${indexEntries.verificationId} = ${parameter('verificationId')}`,
  );
  const putIndexed = compile(
    connection,
    sql`${insertInto(indexedVerifications)} on conflict (client_id, verification_id) do update set
      key_version = excluded.key_version, rules_version = excluded.rules_version`,
  );
  const putRules = compile(
    connection,
    sql`${insertInto(indexedVerifications)} on conflict (client_id, verification_id) do update set
      rules_version = excluded.rules_version`,
  );
  const putEntries = compile(
    connection,
    sql`insert into ${indexEntries} (client_id, purpose, label, verification_id)
      select ${parameter('clientId')}, value ->> 'purpose', value ->> 'label', ${parameter('verificationId')}
      from json_each(${parameter('labels')}) where true on conflict do nothing`,
  );

  return {
    put(clientId, verificationId, { labels, ...versions }) {
      if (key.get({ clientId, keyVersion: versions.keyVersion }) === undefined) return false;
      const indexed = { clientId, verificationId, ...versions };
      if (labels === null) {
        putRules.run(indexed);
        return true;
      }
      putIndexed.run(indexed);
      removeEntries.run({ clientId, verificationId });
      putEntries.run({ clientId, verificationId, labels: JSON.stringify(labels) });
      return true;
    },
  };
}
