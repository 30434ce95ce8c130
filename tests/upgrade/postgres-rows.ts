import postgres from 'postgres';
import { MIGRATION_FOLDERS, migrationsIn, readMigration } from './migration-files.ts';

/**
 * Writes the rows of a database as SQL, without the tables that migrations create. `pg_dump` is not used, because it refuses servers
 * that are newer than itself.
 */
export async function dumpRows(url: string): Promise<string> {
  const sql = postgres(url, { max: 1, fetch_types: false });
  try {
    const tables = await sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`;
    const migrations = MIGRATION_FOLDERS.postgres.flatMap(migrationsIn).map(readMigration);
    const inserts: string[] = [];
    for (const { name } of tables) {
      const [row] = await sql.unsafe(`select coalesce(json_agg(t), '[]')::text as rows from "${name}" t`);
      if (!isIn(migrations, name)) inserts.push(await definitionOf(sql, name));
      inserts.push(insertInto(name, String(row?.rows)));
    }
    return ["SET session_replication_role = 'replica';", ...inserts.filter((line) => line !== '')].join('\n');
  } finally {
    await sql.end();
  }
}

const isIn = (migrations: readonly string[], table: string): boolean =>
  migrations.some((text) => new RegExp(`CREATE TABLE "?${table}\\b`).test(text));

/** Returns the statement that creates a table: the notes of applied migrations, or the windows of the rate limits. */
async function definitionOf(sql: postgres.Sql, table: string): Promise<string> {
  const columns = await sql<{ line: string }[]>`
    select format('%I %s%s%s', attname, format_type(atttypid, atttypmod),
      case when attnotnull then ' not null' else '' end, ' default ' || pg_get_expr(adbin, adrelid)) as line
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`;
  const keys = await sql<{ line: string }[]>`
    select pg_get_constraintdef(oid) as line from pg_constraint
    where conrelid = ${table}::regclass and contype in ('p', 'u')`;
  const [found] =
    await sql`select relpersistence = 'u' as is_unlogged from pg_class where oid = ${table}::regclass`;
  const lines = [...columns, ...keys].map(({ line }) => line).join(', ');
  return `CREATE ${found?.is_unlogged ? 'UNLOGGED ' : ''}TABLE "${table}" (${lines});`;
}

function insertInto(table: string, rows: string): string {
  return rows === '[]'
    ? ''
    : `INSERT INTO "${table}" SELECT * FROM json_populate_recordset(null::"${table}", $rows$${rows}$rows$);`;
}

/** Fills an empty database. @param migrations paths of those that the version had */
export async function loadRows(url: string, migrations: readonly string[], dump: string): Promise<void> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    for (const path of migrations) await sql.unsafe(readMigration(path));
    await sql.unsafe(dump);
  } finally {
    await sql.end();
  }
}
