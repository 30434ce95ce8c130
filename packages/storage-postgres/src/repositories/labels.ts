import type { KeptLabels, VerificationLabels } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import { violatedConstraint } from '../connection/faults.ts';
import { parameter } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { indexEntries, indexedVerifications } from '../schema.ts';

/** The labels of the parameter `labels`; none if it is null. */
const GIVEN = sql`json_to_recordset(${parameter('labels')}::json) as given (purpose text, label text)`;
const KEEPS = sql`${parameter('labels')}::json is null`;

/**
 * Replaces or keeps the labels of each row of `changed`, which is the changed verification or none: parts of a statement. What stays is neither
 * deleted nor inserted, because both read the moment at which the statement begins.
 *
 * What can be submitted is labelled by its submission alone. Beside a rejection, a rebuild may write labels of the same answers by another
 * key, which stay until the next rebuild: each finds the verification.
 */
export function replaceLabels(changed: SQL): SQL {
  return sql`indexed as (
    insert into ${indexedVerifications} (client_id, verification_id, key_version, rules_version)
    select client_id, id, ${parameter('keyVersion')}::integer, ${parameter('rulesVersion')}::integer from ${changed}
    on conflict (client_id, verification_id) do update set
      key_version = case when ${KEEPS} then ${indexedVerifications.keyVersion} else excluded.key_version end,
      rules_version = excluded.rules_version
    returning client_id, verification_id
  ), unlabelled as (
    delete from ${indexEntries} using indexed
    where ${indexEntries.clientId} = indexed.client_id and ${indexEntries.verificationId} = indexed.verification_id
      and not (${KEEPS}) and not exists (
        select 1 from ${GIVEN} where given.purpose = ${indexEntries.purpose} and given.label = ${indexEntries.label}
      )
  ), labelled as (
    insert into ${indexEntries} (client_id, purpose, label, verification_id)
    select indexed.client_id, given.purpose, given.label, indexed.verification_id from indexed, ${GIVEN}
    on conflict do nothing
  )`;
}

/** The values of the parameters of `replaceLabels`. */
export function valuesOfLabels({ labels, keyVersion, rulesVersion }: VerificationLabels | KeptLabels) {
  return { labels: labels === null ? null : JSON.stringify(labels), keyVersion, rulesVersion };
}

/** Whether labels were refused because the client does not have their key. */
export function lacksIndexKey(error: unknown): boolean {
  return violatedConstraint(error) === 'indexed_verifications_known_key';
}
