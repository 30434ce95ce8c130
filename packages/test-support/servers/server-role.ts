import { readFileSync } from 'node:fs';
import postgres from 'postgres';

const DOCS = new URL('../../../docs/operations.md', import.meta.url);

/** The role in docs/operations.md. */
const ROLE = 'server_role';

/** From this version on, Postgres has the right MAINTAIN. */
const HAS_MAINTAIN = 17;

const ROLE_EXISTS = ['42710', '23505'];
const UNDEFINED_TABLE = '42P01';

function codeOf(error: unknown): string {
  return (error as { readonly code?: string }).code ?? '';
}

/** Returns the statements of docs/operations.md that give a role the rights of a server. */
function documentedGrants(): string[] {
  const [, block = ''] = /```sql\n(GRANT USAGE ON SCHEMA [\s\S]+?)```/.exec(readFileSync(DOCS, 'utf8')) ?? [];
  const statements = block.replaceAll(/--.*$/gm, '').split(';');
  const grants = statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
  if (grants.length === 0) throw new Error('docs/operations.md names no grants');
  return grants;
}

/**
 * Gives a role that owns nothing the rights that docs/operations.md names, and no others.
 * @param url the migrated database, as the owner of its tables
 * @param options.without leaves out the grants that contain this text
 * @param options.isPart whether the database has the tables of one package only; others need not exist
 * @returns the URL of the database for the role
 */
export async function grantServerRole(
  url: string,
  { without, isPart = false }: { readonly without?: string; readonly isPart?: boolean } = {},
): Promise<string> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    // Roles belong to the whole server, which test files share.
    await sql.unsafe(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${ROLE}'`).catch((error: unknown) => {
      if (!ROLE_EXISTS.includes(codeOf(error))) throw error;
    });
    const [version] = await sql.unsafe<{ major: number }[]>(
      "SELECT current_setting('server_version_num')::integer / 10000 AS major",
    );
    for (const grant of documentedGrants()) {
      if (/\bMAINTAIN\b/.test(grant) && Number(version?.major) < HAS_MAINTAIN) continue;
      if (without !== undefined && grant.includes(without)) continue;
      await sql.unsafe(grant).catch((error: unknown) => {
        if (!isPart || codeOf(error) !== UNDEFINED_TABLE) throw error;
      });
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
  const its = new URL(url);
  its.username = ROLE;
  its.password = ROLE;
  return its.href;
}
