// npm run migration -- NAME: the migrations from the newest snapshots to the tables in the code.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, root, say } from './process.mjs';

const usage = `Usage: npm run migration -- NAME [--empty STORAGE]

Writes a migration for each storage whose tables have changed. NAME says in kebab-case what it does (expand-mail-budgets).
--empty sqlite, --empty postgres: also writes an empty one for this storage, for SQL by hand.`;

const EMPTY = '-- SQL that drizzle cannot write.\n';

/** @typedef {{ version: string, dialect: string, entries: { idx: number, when: number, tag: string }[] }} Journal */
/** @typedef {{ id: string, version: string }} Snapshot */
/** @typedef {Record<string, (...values: unknown[]) => unknown>} DrizzleKit */
/** @typedef {{ schema: string | string[] }} Config */
/** @typedef {{ write: [path: string, text: string][], remove: string }} Change */

/** For each storage, the functions of `drizzle-kit/api` that describe its tables and that compare two descriptions. */
const STORAGES = {
  sqlite: { describe: 'generateSQLiteDrizzleJson', compare: 'generateSQLiteMigration' },
  postgres: { describe: 'generateDrizzleJson', compare: 'generateMigration' },
};

/** @typedef {keyof typeof STORAGES} Storage */
const NAMES = /** @type {Storage[]} */ (Object.keys(STORAGES));

/** @param {string} storage */
function folderOf(storage) {
  return join(root, 'packages', `storage-${storage}`);
}

/** @param {string} storage */
function journalOf(storage) {
  const path = join(folderOf(storage), 'migrations/meta/_journal.json');
  const journal = /** @type {Journal} */ (JSON.parse(readFileSync(path, 'utf8')));
  return { path, journal };
}

/** @param {number} index */
const numbered = (index) => String(index).padStart(4, '0');

/**
 * Ends with a message if an earlier run was killed while it wrote: the journal, which is written last, does not name its files.
 * @param {Storage[]} storages
 */
function refuseLeftovers(storages) {
  const strays = storages.flatMap((storage) => {
    const folder = join(folderOf(storage), 'migrations');
    const { entries } = journalOf(storage).journal;
    const named = entries.map(({ tag }) => `${tag}.sql`);
    named.push('_journal.json', `${numbered(entries.at(-1)?.idx ?? 0)}_snapshot.json`);
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !named.includes(entry.name))
      .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
  });
  if (strays.length === 0) return;
  fail(`A journal does not name ${strays.join(', ')}: an earlier run was interrupted. Delete these files, restore the
other changes in the folders \`migrations\` with git, and run it again.`);
}

/**
 * Ends with a message if the arguments name no new migration.
 * @param {string[]} args
 * @returns {{ name: string, empty: string | undefined }}
 */
function parse(args) {
  const [name = '', option, empty, ...more] = args;
  const known = option === undefined || (option === '--empty' && NAMES.some((storage) => storage === empty));
  if (name === '' || !known || more.length > 0) fail(usage);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    fail(`The name ${JSON.stringify(name)} is not in kebab-case. Example: expand-mail-budgets`);
  }
  for (const storage of NAMES) {
    const taken = journalOf(storage).journal.entries.find(({ tag }) => tag.slice('0000_'.length) === name);
    if (taken) fail(`storage-${storage} already has the migration ${taken.tag}. Choose another name.`);
  }
  return { name, empty };
}

/**
 * Compares the tables with the newest snapshot. Writes nothing.
 * @param {Storage} storage
 * @param {string} name
 * @param {boolean} evenIfEmpty
 * @returns {Promise<Change | undefined>} undefined if nothing has changed
 */
async function changeOf(storage, name, evenIfEmpty) {
  const folder = folderOf(storage);
  const { path, journal } = journalOf(storage);
  const last = journal.entries.at(-1);
  if (last === undefined) throw new Error(`${path} has no migration`);

  const snapshotAt = (/** @type {number} */ index) =>
    join(folder, `migrations/meta/${numbered(index)}_snapshot.json`);
  const before = /** @type {Snapshot} */ (JSON.parse(readFileSync(snapshotAt(last.idx), 'utf8')));
  const [after, statements] = await compare(storage, before);
  if (statements.length === 0 && !evenIfEmpty) return undefined;

  const idx = last.idx + 1;
  const tag = `${numbered(idx)}_${name}`;
  // The migrator identifies a migration by its time and applies those that are later than the last one applied.
  const when = Math.max(Date.now(), last.when + 1);
  const entry = { idx, version: after.version, when, tag, breakpoints: true };
  const sql = statements.length === 0 ? EMPTY : statements.join('--> statement-breakpoint\n');
  return {
    write: [
      [join(folder, `migrations/${tag}.sql`), sql],
      [snapshotAt(idx), JSON.stringify(after, null, 2)],
      [path, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }, null, 2)],
    ],
    remove: snapshotAt(last.idx),
  };
}

/**
 * @param {Storage} storage
 * @param {Snapshot} before
 * @returns {Promise<[after: Snapshot, statements: string[]]>}
 */
async function compare(storage, before) {
  const folder = folderOf(storage);
  const manifest = join(folder, 'package.json');
  const drizzleKit = /** @type {DrizzleKit} */ (createRequire(manifest)('drizzle-kit/api'));
  const { describe, compare } = STORAGES[storage];
  const after = await drizzleKit[describe]?.(await tablesOf(folder), before.id);
  const statements = await drizzleKit[compare]?.(before, after);
  return [/** @type {Snapshot} */ (after), /** @type {string[]} */ (statements)];
}

/**
 * @param {string} folder
 * @returns {Promise<object>}
 */
async function tablesOf(folder) {
  const load = (/** @type {string} */ path) => import(pathToFileURL(join(folder, path)).href);
  const { default: config } = /** @type {{ default: Config }} */ (await load('drizzle.config.ts'));
  const modules = /** @type {object[]} */ (await Promise.all([config.schema].flat().map(load)));
  return /** @type {object} */ (Object.assign({}, ...modules));
}

/**
 * Applies all changes, or none if a file cannot be written.
 * @param {Change[]} changes
 */
function apply(changes) {
  /** @type {[part: string, path: string][]} */
  const written = [];
  try {
    for (const [path, text] of changes.flatMap(({ write }) => write)) {
      writeFileSync(`${path}.part`, text);
      written.push([`${path}.part`, path]);
    }
  } catch (error) {
    for (const [part] of written) rmSync(part);
    throw error;
  }
  for (const [part, path] of written) renameSync(part, path);
  for (const { remove } of changes) rmSync(remove);
}

const { name, empty } = parse(process.argv.slice(2));
refuseLeftovers(NAMES);
/** @type {Change[]} */
const changes = [];
const outcomes = [];
// One after the other: drizzle asks on the terminal whether a column is new or renamed.
for (const storage of NAMES) {
  const change = await changeOf(storage, name, storage === empty);
  if (change) changes.push(change);
  outcomes.push(`storage-${storage}: ${change ? `wrote ${change.write[0]?.[0]}` : 'its tables have not changed'}`);
}
apply(changes);
outcomes.forEach(say);
