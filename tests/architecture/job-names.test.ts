import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(ROOT + path, 'utf8');

/** The names of the server's background jobs, as metrics have them. */
const jobs = globSync('apps/server/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .flatMap((path) => [...read(path).matchAll(/\bname: '(\w+)',\s*(?:run|slice)\b/g)].map(([, name]) => name));

it.each(['en', 'de'])('the service page names each background job in words: %s', (language) => {
  const { status } = JSON.parse(read(`packages/web/src/locales/${language}/admin.json`));
  expect(jobs.length).toBeGreaterThan(10);
  expect(Object.keys(status.jobNames).sort()).toEqual([...jobs].sort());
});
