import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describe, expect, it } from 'vitest';
import { summaryOf, withVersion } from '../../scripts/changelog.mjs';
import { filesIn, provenanceOf, sumsOf } from '../../scripts/release-record.mjs';
import { stepAfter, subjectOf, tagOf, writeVersion } from '../../scripts/release-version.mjs';
import { composed, librariesIn } from '../../scripts/sbom.mjs';

const ROOT = join(import.meta.dirname, '../..');
const CHANGESETS = join(ROOT, '.changeset');

describe('the changelog of a release', () => {
  const changelog = '# Changelog\n\nNewest first.\n\n## 0.2.0\n\nThe first release.\n';

  it('the changelog of a release has each summary once, above the newest version', () => {
    expect(withVersion(changelog, '0.3.0', ['First.\n\nMore of it.', 'Second.'])).toBe(
      '# Changelog\n\nNewest first.\n\n## 0.3.0\n\n- First.\n\n  More of it.\n- Second.\n\n## 0.2.0\n\nThe first release.\n',
    );
  });

  it('refuses a version that it has', () => {
    expect(() => withVersion(changelog, '0.2.0', [])).toThrow('has version 0.2.0 already');
  });

  it('each changeset has a summary, and no two have the same', () => {
    const summaries = readdirSync(CHANGESETS)
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .map((name) => summaryOf(readFileSync(join(CHANGESETS, name), 'utf8')));
    expect(summaries.filter((summary) => summary === '' || summary.startsWith('---'))).toEqual([]);
    expect(new Set(summaries).size).toBe(summaries.length);
  });
});

describe('the version of a release', () => {
  it('the version of a release is in the changelog, the label of the image, and the manifests of the repository and of unpublished packages', () => {
    const folder = temporaryFolder(tmpdir());
    const files = ['CHANGELOG.md', 'Dockerfile', 'package.json', 'apps/embed-example/package.json'];
    mkdirSync(join(folder, 'apps/embed-example'), { recursive: true });
    for (const file of files) copyFileSync(join(ROOT, file), join(folder, file));
    const { version: present } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    writeVersion(folder, '98.7.6', ['Something new.']);
    const linesWith = (version: string) =>
      files.flatMap((file) =>
        readFileSync(join(folder, file), 'utf8')
          .split('\n')
          // As a whole: 10.4.0 is not 0.4.0.
          .filter((line) => line.split(/[^\d.]+/).includes(version)),
      );
    const inManifest = '  "version": "98.7.6",';
    expect(linesWith('98.7.6')).toEqual(['## 98.7.6', 'ARG VERSION=98.7.6', inManifest, inManifest]);
    expect(linesWith(present)).toEqual([`## ${present}`]);
  });

  it('an interrupted release gets its tag and its files at the next run', () => {
    const head = { version: '0.3.0', subject: subjectOf('0.3.0') };
    expect(stepAfter({ ...head, tags: [''] })).toBe('tag');
    expect(stepAfter({ ...head, tags: [tagOf('0.3.0')] })).toBe('files');
    expect(stepAfter({ ...head, subject: 'fix(web): …', tags: [''] })).toBeUndefined();
    expect(stepAfter({ ...head, version: '0.2.0', tags: [''] })).toBeUndefined();
  });
});

describe('what a release says about its files', () => {
  it('sums that sha256sum accepts, and a statement that names each file with its hash, the commit and the tools', () => {
    const folder = temporaryFolder(tmpdir());
    writeFileSync(join(folder, 'b.tgz'), 'second');
    writeFileSync(join(folder, 'a.tgz'), 'first');
    const files = filesIn(folder);
    const origin = {
      version: '0.3.0',
      commit: 'c'.repeat(40),
      lockfile: 'd'.repeat(64),
      tools: { node: '24.0.0' },
      startedOn: '2026-11-23T10:00:00.000Z',
      finishedOn: '2026-11-23T10:01:00.000Z',
    };

    writeFileSync(join(folder, 'SHA256SUMS'), sumsOf(files));
    const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder }).toString();
    expect(checked).toBe('a.tgz: OK\nb.tgz: OK\n');
    expect(provenanceOf(files, origin)).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://slsa.dev/provenance/v1',
      subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
      predicate: {
        buildDefinition: {
          resolvedDependencies: [
            { digest: { gitCommit: origin.commit } },
            { digest: { sha256: origin.lockfile } },
          ],
        },
      },
    });
  });
});

describe('the list of components', () => {
  it('fails if a library of the program is not listed', () => {
    const bundled = librariesIn('pino 10.4.0 (MIT)\n\ntext of its licence (C) 2016\n');
    expect([...bundled]).toEqual(['pino 10.4.0']);
    const component = { 'bom-ref': 'pkg:npm/countersign@0.3.0', name: 'countersign', version: '0.3.0' };
    const tree = { metadata: { component }, components: [] };
    expect(() => composed(tree, new Map(), bundled)).toThrow('lacks pino 10.4.0');
  });
});

it('npm run release refuses options that it does not know, and changes nothing', () => {
  const before = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT }).toString();
  const refused = () =>
    execFileSync(process.execPath, ['scripts/run.mjs', 'release', '--dry'], { cwd: ROOT, stdio: 'pipe' });
  expect(refused).toThrow(/Unknown option '--dry'.*npm run release -- \[--dry-run\]/s);
  expect(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT }).toString()).toBe(before);
});
