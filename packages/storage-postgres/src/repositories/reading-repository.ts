import type { ReadingRepository } from '@countersign/domain/storage';
import type { Session } from '../connection/session.ts';
import { columnNames, columnsOf, parameter, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds, momentText } from '../rows/parse-row.ts';
import { readings, verifications } from '../schema.ts';
import { readingRows } from '../tables/rows.ts';

const OF_VERIFICATION = sql`${readings.clientId} = ${parameter('clientId')}
  and ${readings.verificationId} = ${parameter('verificationId')}`;

/** Locks the verification, so that a commit or an erasure comes before this statement or after it. */
const SAVE = statementOf(sql`
  with verification as materialized (
    select ${verifications.clientId}, ${verifications.id} from ${verifications}
    where ${verifications.clientId} = ${parameter('clientId')} and ${verifications.id} = ${parameter('verificationId')}
      and ${verifications.version} = ${parameter('version')}::integer and ${verifications.erasedAt} is null
    for share
  )
  insert into ${readings} (${columnNames(readings)})
  select client_id, id, ${parameter('fileId')}::uuid, ${parameter('readerVersion')}, ${parameter('readAt')}::timestamptz,
    ${parameter('data')}::jsonb
  from verification
  on conflict (client_id, verification_id, file_id) do update set
    reader_version = excluded.reader_version, read_at = excluded.read_at, data = excluded.data
  returning 1`);

const FIND = statementOf(
  sql`select ${columnsOf(readings)} from ${readings} where ${OF_VERIFICATION} order by ${readings.fileId}`,
);

const REMOVE = statementOf(sql`
  delete from ${readings} using unnest(
    ${parameter('clientIds')}::uuid[], ${parameter('verificationIds')}::uuid[], ${parameter('fileIds')}::uuid[]
  ) as place (client_id, verification_id, file_id)
  where ${readings.clientId} = place.client_id and ${readings.verificationId} = place.verification_id
    and ${readings.fileId} = place.file_id`);

export function createReadingRepository({ read, write }: Session): ReadingRepository {
  return {
    async save({ clientId, verificationId, fileId, readerVersion, readAt, data }, version) {
      if (!areIds(clientId, verificationId)) return false;
      const place = { clientId, verificationId, fileId };
      const text = { readAt: momentText(readAt), data: JSON.stringify(data) };
      const { count } = await write(SAVE, { ...place, readerVersion, ...text, version });
      return count > 0;
    },

    async find({ clientId, verificationId }) {
      if (!areIds(clientId, verificationId)) return [];
      return (await read(FIND, { clientId, verificationId })).map(readingRows.fromRow);
    },

    async remove(places) {
      const known = places.filter((place) => areIds(place.clientId, place.verificationId, place.fileId));
      if (known.length === 0) return;
      await write(REMOVE, {
        clientIds: `{${known.map(({ clientId }) => clientId).join()}}`,
        verificationIds: `{${known.map(({ verificationId }) => verificationId).join()}}`,
        fileIds: `{${known.map(({ fileId }) => fileId).join()}}`,
      });
    },
  };
}
