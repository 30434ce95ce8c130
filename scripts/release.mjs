// npm run release: changesets become versions, changelogs, a commit and a tag; then every tarball and the records about them.
//
// It publishes and pushes nothing. CI has tested the commit before.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { summaryOf, withVersion } from './changelog.mjs';
import { PNPM } from './install.mjs';
import { pack } from './pack.mjs';
import { fail, root, run, runNode, say } from './process.mjs';
import { filesIn, provenanceOf, sha256, sumsOf } from './release-record.mjs';
import { listComponents } from './sbom.mjs';

const CHANGESETS = join(root, '.changeset');
const CHANGELOG = join(root, 'CHANGELOG.md');

/**
 * @param {string[]} args
 * @param {() => Promise<number>} keepFixtures keeps an installation of the new version, from which upgrade tests start
 * @returns {Promise<number>} the exit code
 */
export async function release(args, keepFixtures) {
  const { dryRun, folder } = optionsIn(args);
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    fail(`${folder} is not empty: name another folder with --out, or remove it`);
  }
  if ((await git('status', '--porcelain')) !== '') fail('the tree has changes: commit or remove them first');
  if (changesets().length === 0)
    fail('nothing to release: .changeset has no changeset. Write one with `npm run changeset`');
  return dryRun ? tryRelease(folder) : makeRelease(folder, keepFixtures);
}

/** @param {string[]} args */
function optionsIn(args) {
  try {
    const options = /** @type {const} */ ({ 'dry-run': { type: 'boolean' }, out: { type: 'string' } });
    const { values } = parseArgs({ args, options });
    return { dryRun: values['dry-run'] === true, folder: resolve(values.out ?? join(root, 'release')) };
  } catch (error) {
    return fail(
      `${error instanceof Error ? error.message : String(error)}. Use: npm run release -- [--dry-run] [--out FOLDER]`,
    );
  }
}

/**
 * Makes the release in a clone, so that this tree stays as it is.
 * @param {string} folder
 */
async function tryRelease(folder) {
  const clone = mkdtempSync(join(tmpdir(), 'countersign-release-'));
  try {
    await git('clone', '--quiet', root, clone);
    const code = await runNode([join(clone, 'scripts', 'run.mjs'), 'release', '--out', folder]);
    if (code === 0) say(`this was a dry run: no version, commit or tag was made. The files are in ${folder}`);
    return code;
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

/**
 * @param {string} folder
 * @param {() => Promise<number>} keepFixtures
 */
async function makeRelease(folder, keepFixtures) {
  const startedOn = new Date().toISOString();
  const summaries = changesets().map((name) => summaryOf(readFileSync(join(CHANGESETS, name), 'utf8')));
  if ((await runNode(['node_modules/@changesets/cli/bin.js', 'version'])) !== 0) return 1;
  const version = manifestAt('apps/server').version;
  writeManifest({ ...manifestAt('.'), version });
  writeFileSync(CHANGELOG, withVersion(readFileSync(CHANGELOG, 'utf8'), version, summaries));
  if ((await keepFixtures()) !== 0) return 1;
  await git('add', '--all');
  await git('commit', '--quiet', '--message', `build(release): version ${version}`);
  await git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);

  await pack(folder);
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(await listComponents(), null, 2)}\n`);
  const files = filesIn(folder);
  const origin = {
    version,
    commit: await git('rev-parse', 'HEAD'),
    lockfile: sha256(readFileSync(join(root, 'pnpm-lock.yaml'))),
    tools: { node: process.versions.node, pnpm: PNPM.replace('pnpm@', '') },
    startedOn,
    finishedOn: new Date().toISOString(),
  };
  writeFileSync(join(folder, 'provenance.json'), `${JSON.stringify(provenanceOf(files, origin), null, 2)}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sumsOf(filesIn(folder)));
  say(`version ${version} is tagged v${version}; ${files.length + 2} files are in ${folder}`);
  return 0;
}

function changesets() {
  return readdirSync(CHANGESETS)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort();
}

/**
 * Runs git in this repository and returns its output.
 * @param {string[]} args
 */
async function git(...args) {
  const { code, output } = await run('git', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  if (code !== 0) fail(`git ${args[0]} failed: ${output.trim()}`);
  return output.trim();
}

/** @param {string} folder @returns {{ version: string }} */
function manifestAt(folder) {
  return /** @type {{ version: string }} */ (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')));
}

/** @param {{ version: string }} manifest of the root */
function writeManifest(manifest) {
  writeFileSync(join(root, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
