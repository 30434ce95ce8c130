import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as exported from '@countersign/domain/actions';
import { describe, expect, it } from 'vitest';
import { root } from './planted-tree.ts';

/** The only caller of an action's `run`: it first checks the caller's rights and writes the audit entry. */
const RUNNER = 'packages/domain/src/actions/as.ts';

const actions: readonly unknown[] = exported.ACTIONS;
const NAMES = Object.entries(exported).flatMap(([name, value]) => (actions.includes(value) ? [name] : []));
const ENTRY = `(?:action|entry|${NAMES.join('|')})`;
const CALLS: readonly RegExp[] = [
  // `approveVerification.run(…)`, `page.action.run.call(…)`, `ACTIONS[0]?.run(…)`
  new RegExp(String.raw`\b${ENTRY}\??\.run\b`, 'g'),
  /\bACTIONS\b[^;]*\.run\b/g,
  // `const { run } = approveVerification`
  new RegExp(String.raw`\{[^{}]*\brun\b[^{}]*\}\s*=\s*(?:\w+\.)*${ENTRY}\b`, 'g'),
];

function callsIn(file: string, source: string): string[] {
  if (file === RUNNER) return [];
  return CALLS.flatMap((pattern) => source.match(pattern) ?? []).map((found) => `${file}: ${found}`);
}

/** Pages of signed-in users: they reach the service through the `as` of their caller. */
const STAFF_PAGES = 'packages/web/src/{account,actions,admin,dashboard,review,staff}/**/*.{ts,tsx}';
/** Binds the caller and counts their requests: the one file that holds the service. */
const GATE = 'packages/web/src/staff/gate.ts';

/** Finds uses of the service. The name in a text, such as that of a command, is none. */
function serviceIn(file: string, source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'/g, '');
  const used =
    file === GATE
      ? /\bcountersign\s*\??\.\s*(?!as\(|rateLimits\.(?:forUser|forUpload|beginUpload)\()\w+/g
      : /\bcountersign\b(?=\s*[,.;:?)\]}=])/g;
  return (code.match(used) ?? []).map((found) => `${file}: ${found}`);
}

describe('pages of signed-in users', () => {
  it('only the gate holds the service, and calls nothing but `as` and the limits of a user', () => {
    const files = globSync(STAFF_PAGES, { cwd: root, exclude: ['**/*.test.{ts,tsx}'] });
    expect(files).toContain(GATE);
    expect(files.flatMap((file) => serviceIn(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
    expect(readFileSync(join(root, GATE), 'utf8')).toContain('countersign.as(');
  });

  it.each([
    "const clients = await context.get('site').options.countersign.clients.list();",
    'const { countersign } = site.options;',
    'await options.countersign?.review.open(id);',
  ])('a planted violation is found: %s', (source) => {
    expect(serviceIn('packages/web/src/review/planted.ts', source)).not.toEqual([]);
  });

  it('a planted violation is found in the gate', () => {
    expect(serviceIn(GATE, 'await countersign.clients.list();')).not.toEqual([]);
  });
});

describe('running an action', () => {
  it('only countersign.as calls the `run` of an action', () => {
    const files = globSync('{packages,apps}/*/src/**/*.{ts,tsx}', { cwd: root });
    const sources = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);

    expect(NAMES).toHaveLength(actions.length);
    expect(sources.flatMap(([file, source]) => callsIn(file, source))).toEqual([]);
    // Proves that the patterns match the call in the runner.
    expect(callsIn('anywhere.ts', readFileSync(join(root, RUNNER), 'utf8'))).toHaveLength(1);
  });

  it.each([
    'await approveVerification.run(services, input, caller);',
    'return page.action.run(services, input, caller);',
    'const { run } = issueApiKey;',
    'const { id, run } = page.action;',
    'await ACTIONS[0]?.run(services, {}, caller);',
  ])('reports a planted violation: %s', (source) => {
    expect(callsIn('packages/web/src/planted.ts', source)).not.toEqual([]);
    expect(callsIn(RUNNER, source)).toEqual([]);
  });

  it.each([
    'await countersign.as(caller).run(approveVerification, input);',
    "await context.get('as').run(page.action, input);",
  ])('allows a call through countersign.as: %s', (source) => {
    expect(callsIn('packages/web/src/planted.ts', source)).toEqual([]);
  });
});
