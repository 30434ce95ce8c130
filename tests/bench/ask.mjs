// Single statements on the database of an installation, beside its server.
import { createPool } from './reference-postgres/driver.mjs';
import { createDriver } from './reference-sqlite/driver.mjs';

/**
 * Returns a function that runs a statement, and returns the `n` of a query.
 * @param {import('./installations.mjs').Kind} kind
 * @param {string} place file or URL of the database
 * @returns {(query: string) => Promise<number>}
 */
export function asking(kind, place) {
  return kind === 'sqlite' ? askSqlite(place) : askPostgres(place);
}

/** @param {string} file @returns {(query: string) => Promise<number>} */
function askSqlite(file) {
  return async (query) => {
    const db = createDriver(file);
    try {
      const statement = db.prepare(query);
      if (query.startsWith('update')) {
        statement.run();
        return 0;
      }
      const row = /** @type {{ n: number }} */ (statement.get());
      return row.n;
    } finally {
      db.close();
    }
  };
}

/** @param {string} url @returns {(query: string) => Promise<number>} */
function askPostgres(url) {
  return async (query) => {
    const db = createPool(url, 1);
    try {
      const [row] = await db.unsafe(query, [], { prepare: false });
      return Number(row?.n ?? 0);
    } finally {
      await db.end();
    }
  };
}
