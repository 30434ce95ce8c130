#!/usr/bin/env -S node --max-semi-space-size=8 --no-parallel-scavenge
// CommonJS without newer syntax, so that an old Node can read it and say that it is too old.
const { engines } = require('../package.json');

const oldest = engines.node.replace('>=', '');
const [major, minor] = process.versions.node.split('.').map(Number);
const [oldestMajor, oldestMinor] = oldest.split('.').map(Number);

if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
  void import('../dist/bundle/server/compile-cache.js').then(({ keepCompiledCode }) => {
    keepCompiledCode(process.env);
    return import('../dist/bundle/server/main.js');
  });
} else {
  process.stderr.write(
    `countersign: Node ${process.versions.node} is too old. Install Node 24 (${oldest} or newer works too).\n`,
  );
  process.exitCode = 1;
}
