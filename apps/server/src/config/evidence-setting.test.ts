import { expect, test } from 'vitest';
import { SettingError } from './errors.ts';
import { defaultEvidence, evidenceSettings, folderOf } from './evidence-setting.ts';

test.each([
  ['s3://evidence', { bucket: 'evidence', prefix: '', region: undefined, endpoint: undefined, pathStyle: false }],
  ['s3://evidence/', { bucket: 'evidence', prefix: '' }],
  ['s3://evidence/a/b-2/?region=eu-central-1', { bucket: 'evidence', prefix: 'a/b-2', region: 'eu-central-1' }],
  [
    's3://my.evidence/x?endpoint=https://minio.example.org:9000/&path-style=on',
    { bucket: 'my.evidence', prefix: 'x', endpoint: 'https://minio.example.org:9000', pathStyle: true },
  ],
  ['s3://evidence?endpoint=http://127.0.0.1:9000', { endpoint: 'http://127.0.0.1:9000', pathStyle: false }],
  ['s3://evidence?path-style=off', { pathStyle: false }],
])('evidenceSettings: %s is a bucket', (url, expected) => {
  const settings = evidenceSettings('EVIDENCE_URL', url);
  expect(settings).toMatchObject({ kind: 's3', ...expected });
  expect(folderOf(settings)).toBeUndefined();
});

test.each([
  ['https://evidence.s3.amazonaws.com', 'neither a file: nor an s3: URL'],
  ['s3:evidence', 'not a valid s3: URL'],
  ['s3://', 'not a valid s3: URL'],
  ['s3:///prefix', 'not a valid s3: URL'],
  ['s3://key:secret@evidence', 'credentials'],
  ['s3://evidence:9000', 'port'],
  ['s3://evidence#x', '#'],
  ['s3://ab', 'name of a bucket'],
  ['s3://Evidence_1', 'name of a bucket'],
  ['s3://evidence/a%20b', 'prefix'],
  ['s3://evidence/a//b', 'prefix'],
  ['s3://evidence/a/../b', 'prefix'],
  ['s3://evidence/a/..', 'prefix'],
  ['s3://evidence/./a', 'prefix'],
  ['s3://evidence/%2E%2e/a', 'prefix'],
  ['s3://evidence/ä', 'prefix'],
  ['s3://evidence?zone=eu-central-1', 'parameter'],
  ['s3://evidence?region=', 'region'],
  ['s3://evidence?region=eu-central-1&region=us-east-1', 'region more than once'],
  ['s3://evidence?endpoint=minio:9000', 'endpoint'],
  ['s3://evidence?endpoint=https://a:b@minio:9000', 'credentials'],
  ['s3://evidence?endpoint=https://minio:9000/s3', 'endpoint with a path'],
  ['s3://evidence?endpoint=http://minio.example.org', 'public host without TLS'],
  ['s3://evidence?path-style=yes', 'path-style'],
])('evidenceSettings: refuses %s without quoting it', (url, reason) => {
  const read = () => evidenceSettings('EVIDENCE_URL', url);
  expect(read).toThrow(SettingError);
  expect(read).toThrow(reason);
  expect(read).not.toThrow(/secret|a:b@/);
});

test('evidenceSettings: a folder must not contain DATA_DIR', () => {
  const apart = { DATA_DIR: '/srv/data' };
  expect(evidenceSettings('EVIDENCE_URL', 'file:/srv/evidence', apart)).toEqual({
    kind: 'folder',
    directory: '/srv/evidence',
  });
  expect(() => evidenceSettings('EVIDENCE_URL', 'file:/srv', apart)).toThrow('contains DATA_DIR');
  expect(folderOf(defaultEvidence('/srv/data'))).toBe('/srv/data/evidence');
});
