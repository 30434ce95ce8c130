import { join } from 'node:path';
import { SettingError } from './errors.ts';
import { databaseFileOf } from './file-urls.ts';
import { checkedPostgresUrl, isPostgresUrl } from './server-urls.ts';

export interface SqliteSettings {
  readonly kind: 'sqlite';
  /** An absolute path. */
  readonly file: string;
}

export interface PostgresSettings {
  readonly kind: 'postgres';
  readonly url: string;
  /** For migrations, which cannot pass through a pooler. */
  readonly directUrl: string | undefined;
  /** The most connections. */
  readonly poolSize: number;
  readonly namedStatements: boolean;
}

/** The variables of the database, each parsed on its own. */
export interface DatabaseValues {
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_DIRECT_URL?: string | undefined;
  readonly DATABASE_POOL_SIZE?: number | undefined;
  readonly DATABASE_NAMED_STATEMENTS?: 'on' | 'off' | undefined;
}

const DEFAULT_POOL_SIZE = 10;
const ONLY_POSTGRES = ['DATABASE_DIRECT_URL', 'DATABASE_POOL_SIZE', 'DATABASE_NAMED_STATEMENTS'] as const;

/**
 * Combines the variables of the database into its settings.
 * @throws SettingError for a variable without effect on this kind of database: ignoring it would hide the mistake
 */
export function databaseSettings(values: DatabaseValues, dataDir: string): SqliteSettings | PostgresSettings {
  const { DATABASE_URL: url } = values;
  if (url !== undefined && isPostgresUrl(url)) {
    const { DATABASE_DIRECT_URL: direct } = values;
    return {
      kind: 'postgres',
      url: checkedPostgresUrl('DATABASE_URL', url),
      directUrl: direct === undefined ? undefined : checkedPostgresUrl('DATABASE_DIRECT_URL', direct),
      poolSize: values.DATABASE_POOL_SIZE ?? DEFAULT_POOL_SIZE,
      namedStatements: values.DATABASE_NAMED_STATEMENTS !== 'off',
    };
  }
  const file = url === undefined ? join(dataDir, 'countersign.db') : databaseFileOf('DATABASE_URL', url);
  for (const variable of ONLY_POSTGRES) {
    if (values[variable] !== undefined) {
      throw new SettingError(variable, 'is set, but DATABASE_URL is not a PostgreSQL URL: unset it');
    }
  }
  return { kind: 'sqlite', file };
}
