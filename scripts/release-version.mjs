// The version of a release: where it is written, and what is left to do after its commit.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withVersion } from './changelog.mjs';

/**
 * Writes a version where changesets does not: the manifests of the repository and of packages that are not published, the label of the
 * image and the changelog for users.
 * @param {string} folder of the repository
 * @param {string} version
 * @param {string[]} summaries of the changesets
 * @throws Error if a file does not have a place for the version, or if the changelog has it
 */
export function writeVersion(folder, version, summaries) {
  change(join(folder, 'CHANGELOG.md'), (text) => withVersion(text, version, summaries));
  change(join(folder, 'Dockerfile'), (text) => replaced(text, /^ARG VERSION=.*$/m, `ARG VERSION=${version}`));
  for (const manifest of [
    'package.json',
    ...globSync('{apps/*,packages/*,tests}/package.json', { cwd: folder }),
  ]) {
    change(join(folder, manifest), (text) => replaced(text, /^ {2}"version": ".*"/m, `  "version": "${version}"`));
  }
}

/** @param {string} version */
export function tagOf(version) {
  return `v${version}`;
}

/** @param {string} version */
export function subjectOf(version) {
  return `build(release): version ${version}`;
}

/**
 * Returns what comes after the last commit: its tag, or the files of a release that was interrupted after the tag.
 * @param {{ version: string, subject: string, tags: readonly string[] }} head version of the packages, subject and tags of the last commit
 * @returns {'tag' | 'files' | undefined} undefined if the last commit is no release
 */
export function stepAfter({ version, subject, tags }) {
  if (subject !== subjectOf(version)) return undefined;
  return tags.includes(tagOf(version)) ? 'files' : 'tag';
}

/**
 * @param {string} file
 * @param {(text: string) => string} to
 */
function change(file, to) {
  writeFileSync(file, to(readFileSync(file, 'utf8')));
}

/**
 * @param {string} text
 * @param {RegExp} place
 * @param {string} replacement
 */
function replaced(text, place, replacement) {
  if (!place.test(text)) throw new Error(`there is no place for ${replacement.trim()}`);
  return text.replace(place, () => replacement);
}
