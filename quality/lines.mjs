// npm run lines: how many lines the repository has, and what they are for.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/process.mjs';

// Version 7, which compiles the packages, has no parser for programs in JavaScript yet.
const ts = /** @type {typeof import('../tests/node_modules/typescript/lib/typescript.js')} */ (
  createRequire(join(root, 'tests/package.json'))('typescript')
);

/** The programs and installations of released versions, from which the upgrade tests start. */
const RELEASED = /^tests\/upgrade\/versions\//;
const GENERATED = [
  'packages/client/src/api-types.ts',
  'packages/domain/src/fields/address-data.ts',
  'packages/domain/src/fields/calling-code-data.ts',
];
const TESTS = /\.test\.tsx?$|\/test-support\/|^packages\/storage-contract\/|^tests\//;

const UNASSIGNED = 'unassigned';

/**
 * The capabilities and their folders. A file belongs to the first that matches.
 * @type {readonly (readonly [name: string, folders: RegExp])[]}
 */
const CAPABILITIES = [
  ['copy to another database', /^packages\/[^/]+\/src\/transfer(\/|\.)|^apps\/server\/src\/commands\/copy-/],
  ['storage on SQLite', /^packages\/storage-sqlite\//],
  ['storage on Postgres', /^packages\/storage-postgres\//],
  ['storage on key-value stores', /^packages\/(?:memory|storage-keyvalue)\//],
  ['contract of storages', /^packages\/storage-contract\//],
  ['parts of all databases', /^packages\/(tables|statements)\//],
  ['webhooks', /^packages\/(webhooks\/|[^/]+\/src\/([^/]+\/)?webhooks\/)/],
  ['retention and erasure', /^packages\/[^/]+\/src\/([^/]+\/)?(retention|erasure)\//],
  ['exports', /^packages\/[^/]+\/src\/([^/]+\/)?exports\//],
  ['mails', /^packages\/(mail\/|domain\/src\/mail(ing)?\/)/],
  ['accounts', /^packages\/(accounts\/|domain\/src\/staff\/|web\/src\/(account|staff)\/)/],
  ['test mode', /^packages\/domain\/src\/sandbox\//],
  ['sealing', /^packages\/sealing\//],
  ['evidence', /^(packages\/(evidence|domain\/src\/evidence\/)|apps\/server\/src\/evidence\/)/],
  ['rate limits', /^packages\/(rate-limit\/|domain\/src\/rate-limit\/)/],
  ['audit log', /^packages\/domain\/src\/audit\//],
  ['verifications', /^packages\/domain\/src\/(verification|reading|input|fields)\//],
  ['reading of documents', /^packages\/reading\//],
  ['other rules', /^packages\/(domain|runtime)\//],
  ['API', /^packages\/http\//],
  ['client', /^packages\/client\//],
  ['hosted flow', /^packages\/web\/src\/verify\//],
  ['review console', /^packages\/web\/src\/review\//],
  ['dashboard', /^packages\/web\/src\/dashboard\//],
  ['operator pages', /^packages\/web\/src\/admin\//],
  ['documentation pages', /^packages\/web\/src\/docs\//],
  ['parts of all pages', /^packages\/web\//],
  ['backup', /^apps\/server\/src\/backup\//],
  ['metrics and traces', /^apps\/server\/src\/(metrics|tracing)\//],
  ['commands', /^apps\/server\/src\/commands\//],
  ['server', /^apps\/server\//],
  ['example of embedding', /^apps\/embed-example\//],
  ['tests of several packages', /^(tests|packages\/test-support)\//],
];

/**
 * Counts the lines of a TypeScript file that hold code: neither blank nor comment alone.
 * @param {string} source
 * @param {string} [file] its name: `<T>` begins an element in .tsx, and a type in .ts
 */
export function codeLines(source, file = 'source.tsx') {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const lineAt = (/** @type {number} */ position) => tree.getLineAndCharacterOfPosition(position).line;
  const lines = new Set();
  /** @param {import('../tests/node_modules/typescript/lib/typescript.js').Node} node */
  const visit = (node) => {
    if (ts.isJSDoc(node)) return;
    const parts = node.getChildren(tree);
    parts.forEach(visit);
    if (parts.length > 0 || node.getText(tree).trim() === '') return;
    for (let line = lineAt(node.getStart(tree)); line <= lineAt(node.end); line++) lines.add(line);
  };
  visit(tree);
  return lines.size;
}

/**
 * Says which count a file is in: product is the TypeScript of packages and apps, without tests, their support, the
 * contract of storages and the generated types of the client.
 * @param {string} file relative to the repository
 * @returns {{ capability: string, kind: 'product' | 'test' } | undefined} undefined if it is in neither
 */
export function placeOf(file) {
  if (!/\.tsx?$/.test(file) || GENERATED.includes(file) || !/^(packages|apps|tests)\//.test(file))
    return undefined;
  const [capability = UNASSIGNED] = CAPABILITIES.find(([, folders]) => folders.test(file)) ?? [];
  return { capability, kind: TESTS.test(file) ? 'test' : 'product' };
}

/**
 * Lists the tracked files, without those of released versions.
 * @returns {{ file: string, content: Buffer }[]}
 */
export function trackedFiles() {
  const names = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  return names
    .filter((file) => file !== '' && !RELEASED.test(file))
    .map((file) => ({ file, content: readFileSync(join(root, file)) }));
}

/** @param {Buffer} content */
function newlinesIn(content) {
  return content.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0);
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Prints the tracked lines, and for each capability the lines of code in the product and in tests. */
export function printLines() {
  const files = trackedFiles();
  const counted = files.map(({ content }) => ({ lines: newlinesIn(content), binary: content.includes(0) }));
  const text = sum(counted.map(({ lines, binary }) => (binary ? 0 : lines)));
  const all = sum(counted.map(({ lines }) => lines));

  const table = new Map(CAPABILITIES.map(([name]) => [name, { product: 0, test: 0 }]));
  const total = { product: 0, test: 0 };
  for (const { file, content } of files) {
    const place = placeOf(file);
    if (place === undefined) continue;
    const row = table.get(place.capability) ?? { product: 0, test: 0 };
    table.set(place.capability, row);
    const lines = codeLines(content.toString(), file);
    row[place.kind] += lines;
    total[place.kind] += lines;
  }

  /** @param {string} name @param {string | number} product @param {string | number} test */
  const print = (name, product, test) =>
    console.log(`${name.padEnd(28)}${String(product).padStart(9)}${String(test).padStart(9)}`);
  console.log(`Tracked text files have ${text} lines, without tests/upgrade/versions.`);
  console.log(`wc -l counts ${all}: it also counts the line feeds of binary files, which have no lines.\n`);
  console.log('Lines of TypeScript without comments and blank lines:\n');
  print('', 'product', 'test');
  for (const [name, { product, test }] of table) print(name, product, test);
  print('all', total.product, total.test);
}
