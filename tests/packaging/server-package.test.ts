import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildServerPackage, PACKAGE } from '../../scripts/server-package.mjs';

describe('the package of the server', () => {
  beforeAll(buildServerPackage);

  const read = (file: string) => readFileSync(join(PACKAGE, file), 'utf8');

  it('the package of the server has few dependencies, no script, and the program that it names', () => {
    const { bin, dependencies, scripts } = JSON.parse(read('package.json')) as Record<string, object>;
    expect(Object.keys(dependencies ?? {})).toEqual(['better-sqlite3', 'sharp', 'stdnum']);
    expect(scripts).toBeUndefined();
    for (const file of Object.values(bin ?? {})) expect(existsSync(join(PACKAGE, String(file)))).toBe(true);
  });

  it('the package of the server has migrations and assets of the packages beside the program', () => {
    for (const file of ['storage-sqlite/migrations/meta/_journal.json', 'web/assets/tokens.css'])
      expect(existsSync(join(PACKAGE, 'dist/bundle/packages', file)), file).toBe(true);
  });

  it('the package of the server has the licences of the libraries and icons in it', () => {
    const licences = read('dist/bundle/THIRD-PARTY-LICENSES.txt');
    for (const library of ['hono', 'otpauth', '@hyzyla/pdfium', 'htmx.org'])
      expect(licences).toMatch(new RegExp(`^${library} \\d`, 'm'));
    expect(licences).toMatch(
      /^packages\/web\/ICONS-LICENSE\n\n.* Lucide[\s\S]*^ISC License$[\s\S]*^The MIT License/m,
    );
    expect(licences).toMatch(
      /^apps\/server\/ZXING-CPP-LICENSE\n\n.* ZXing-C\+\+[\s\S]*^\s+Apache License$[\s\S]* libzueci, /m,
    );
  });

  it('the package of the server has libraries that it loads later as modules: import() of a CommonJS one has no named exports in a bundle', () => {
    const files = globSync('dist/bundle/**/*.js', { cwd: PACKAGE });
    expect(files.length).toBeGreaterThan(10);
    const cut = files.filter((file) => {
      const exports = read(file).match(/^export .*$/gm) ?? [];
      return exports.length === 1 && /^export default require_\w+\(\);$/.test(exports[0] ?? '');
    });
    expect(cut).toEqual([]);
  });
});
