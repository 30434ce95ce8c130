// Packages import each other from the sandbox that Stryker makes, not from the links in `node_modules`.

/** Conditions by which packages are read from their sources. */
export const SOURCE_CONDITIONS = ['source', 'node', 'module', 'default'];

/** @param {string} root of the sandbox, with a slash at its end */
export const sourceAliases = (root) => [
  { find: /^\.\.?\/(.*\/)?lazily\.ts$/, replacement: `${root}tests/mutation/lazily.mjs` },
  { find: /^@countersign\/test-support\/servers$/, replacement: `${root}packages/test-support/servers/index.ts` },
  { find: /^@countersign\/test-support\/(.*)$/, replacement: `${root}packages/test-support/$1.ts` },
  { find: /^@countersign\/domain\/([a-z-]+)$/, replacement: `${root}packages/domain/src/entries/$1.ts` },
  { find: /^@countersign\/([a-z-]+)$/, replacement: `${root}packages/$1/src/index.ts` },
];
