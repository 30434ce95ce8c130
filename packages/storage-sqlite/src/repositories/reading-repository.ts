import type { ReadingRepository } from '@countersign/domain/storage';
import { insertInto } from '@countersign/statements';
import { compile, compileRows, fieldsOf, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { readings } from '../reading-tables.ts';
import { verifications } from '../schema.ts';
import { readingRows } from '../tables/rows.ts';

const OF_VERIFICATION = sql`${readings.clientId} = ${parameter('clientId')}
  and ${readings.verificationId} = ${parameter('verificationId')}`;

export function createReadingRepository({ connection, read, write }: Session): ReadingRepository {
  const owner = compile(
    connection,
    sql`select 1 from ${verifications} where ${verifications.id} = ${parameter('verificationId')}
      and ${verifications.clientId} = ${parameter('clientId')} and ${verifications.version} = ${parameter('version')}
      and ${verifications.erasedAt} is null`,
  );
  const put = compile(
    connection,
    sql`${insertInto(readings)} on conflict (client_id, verification_id, file_id) do update set
      reader_version = excluded.reader_version, read_at = excluded.read_at, data = excluded.data`,
  );
  const find = compileRows<typeof readings.$inferSelect>(
    connection,
    sql`select ${fieldsOf(readings)} from ${readings} where ${OF_VERIFICATION} order by ${readings.fileId}`,
  );
  const remove = compile(
    connection,
    sql`delete from ${readings} where ${OF_VERIFICATION} and ${readings.fileId} = ${parameter('fileId')}`,
  );

  return {
    save: (reading, version) =>
      write<boolean>(() => {
        const { clientId, verificationId } = reading;
        if (owner.get({ clientId, verificationId, version }) === undefined) return { keep: false, value: false };
        put.run(readingRows.toRow(reading));
        return { keep: true, value: true };
      }),

    find: ({ clientId, verificationId }) =>
      read(() => find.all({ clientId, verificationId }).map(readingRows.fromRow)),

    remove: (places) =>
      write(() => {
        let changes = 0;
        for (const { clientId, verificationId, fileId } of places) {
          changes += remove.run({ clientId, verificationId, fileId });
        }
        return { keep: changes > 0, value: undefined };
      }),
  };
}
