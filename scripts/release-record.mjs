// The records of a release: SHA256SUMS, and the provenance of its files.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ name: string, sha256: string }} ReleasedFile */
/**
 * @typedef {object} Origin
 * @property {string} version
 * @property {string} commit its full hash
 * @property {string} lockfile SHA-256 of pnpm-lock.yaml, which names every dependency with its own hash
 * @property {Record<string, string>} tools name → version
 * @property {string} startedOn RFC 3339
 * @property {string} finishedOn RFC 3339
 */

/**
 * Hashes the files of a folder, by name.
 * @param {string} folder
 * @returns {ReleasedFile[]}
 */
export function filesIn(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, sha256: sha256(readFileSync(join(folder, name))) }));
}

/** @param {Buffer | string} content */
export function sha256(content) {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Returns the text of `SHA256SUMS`, for `sha256sum --check`.
 * @param {ReleasedFile[]} files
 */
export function sumsOf(files) {
  return files.map(({ name, sha256: sum }) => `${sum}  ${name}\n`).join('');
}

/**
 * Returns an in-toto statement with SLSA provenance, version 1. It is not signed: the publisher of the release signs it.
 * @param {ReleasedFile[]} files
 * @param {Origin} origin
 */
export function provenanceOf(files, { version, commit, lockfile, tools, startedOn, finishedOn }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map(({ name, sha256: sum }) => ({ name, digest: { sha256: sum } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:countersign:release:1',
        externalParameters: { command: 'npm run release', ref: `refs/tags/v${version}` },
        internalParameters: { tools },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: 'pnpm-lock.yaml', digest: { sha256: lockfile } },
        ],
      },
      runDetails: { builder: { id: 'urn:countersign:scripts/release.mjs' }, metadata: { startedOn, finishedOn } },
    },
  };
}
