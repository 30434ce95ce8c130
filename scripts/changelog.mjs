// The changelog for users: what the changesets of a release say, each once. Packages have their own, which changesets writes.

/**
 * Returns what a changeset says, without its list of packages.
 * @param {string} changeset
 */
export function summaryOf(changeset) {
  return changeset.replace(/^---\n[\s\S]*?\n---\n/, '').trim();
}

/**
 * Inserts the section of a version before the newest one.
 * @param {string} changelog
 * @param {string} version
 * @param {string[]} summaries
 * @throws Error if the changelog has the version
 */
export function withVersion(changelog, version, summaries) {
  if (changelog.includes(`\n## ${version}\n`)) throw new Error(`CHANGELOG.md has version ${version} already`);
  const section = `## ${version}\n\n${summaries.map((summary) => `- ${summary.replaceAll(/\n(?=.)/g, '\n  ')}\n`).join('')}\n`;
  const newest = changelog.indexOf('\n## ');
  if (newest === -1) return `${changelog.trimEnd()}\n\n${section.trimEnd()}\n`;
  return `${changelog.slice(0, newest + 1)}${section}${changelog.slice(newest + 1)}`;
}
