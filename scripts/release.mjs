// npm run release: changesets become versions, changelogs, a commit and a tag; then every tarball and the records about them.
// If it is interrupted after the commit, the next run makes what is missing.
//
// It publishes and pushes nothing. CI has tested the commit before.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { summaryOf } from './changelog.mjs';
import { format } from './check.mjs';
import { pack } from './pack.mjs';
import { PNPM } from './pnpm.mjs';
import { fail, root, run, runNode, say } from './process.mjs';
import { filesIn, provenanceOf, sha256, sumsOf } from './release-record.mjs';
import { stepAfter, subjectOf, tagOf, writeVersion } from './release-version.mjs';
import { listComponents } from './sbom.mjs';

const CHANGESETS = join(root, '.changeset');

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
  if (dryRun) return tryRelease(folder);
  const startedOn = new Date().toISOString();
  if (changesets().length > 0) await commitVersion(keepFixtures);
  const version = await tagVersion();
  await writeFiles(folder, version, startedOn);
  return 0;
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
 * Makes the version and its commit. If that fails, the tree is as before.
 * @param {() => Promise<number>} keepFixtures
 */
async function commitVersion(keepFixtures) {
  try {
    const summaries = changesets().map((name) => summaryOf(readFileSync(join(CHANGESETS, name), 'utf8')));
    if ((await runNode(['node_modules/@changesets/cli/bin.js', 'version'])) !== 0) {
      throw new Error('changesets failed');
    }
    const version = currentVersion();
    if ((await git('tag', '--list', tagOf(version))) !== '') throw new Error(`the tag ${tagOf(version)} exists`);
    writeVersion(root, version, summaries);
    // Changesets indents empty lines.
    if ((await format()) !== 0) throw new Error('the changelogs could not be formatted');
    if ((await keepFixtures()) !== 0) throw new Error('the fixtures of this version could not be made');
    await git('add', '--all');
    await git('commit', '--quiet', '--message', subjectOf(version));
  } catch (error) {
    // The tree had no changes before.
    await git('reset', '--quiet', '--hard');
    await git('clean', '--quiet', '--force', '-d');
    fail(`no release was made: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Tags the last commit, unless a release that was interrupted has done it.
 * @returns {Promise<string>} the version
 */
async function tagVersion() {
  const version = currentVersion();
  const subject = await git('log', '-1', '--format=%s');
  const tags = (await git('tag', '--points-at', 'HEAD')).split('\n');
  const step = stepAfter({ version, subject, tags });
  if (step === undefined) {
    return fail('nothing to release: .changeset has no changeset. Write one with `npm run changeset`');
  }
  if (step === 'tag') await git('tag', '--annotate', tagOf(version), '--message', `Version ${version}`);
  return version;
}

/**
 * Writes the tarballs of a version and the records about them.
 * @param {string} folder
 * @param {string} version
 * @param {string} startedOn
 */
async function writeFiles(folder, version, startedOn) {
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
  say(`version ${version} is tagged ${tagOf(version)}; ${files.length + 2} files are in ${folder}`);
}

function changesets() {
  return readdirSync(CHANGESETS)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort();
}

/**
 * Runs git in this repository and returns its output.
 * @param {string[]} args
 * @throws Error with the output if git fails
 */
async function git(...args) {
  const { code, output } = await run('git', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${output.trim()}`);
  return output.trim();
}

function currentVersion() {
  const manifest = readFileSync(join(root, 'apps', 'server', 'package.json'), 'utf8');
  return /** @type {{ version: string }} */ (JSON.parse(manifest)).version;
}
