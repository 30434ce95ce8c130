import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { LOCALHOST_CERTIFICATE, LOCALHOST_PEM } from '@countersign/test-support/servers/localhost-certificate';
import { expect, test } from 'vitest';
import { readServerSettings } from './environment.ts';
import { TRACING_VARIABLES } from './tracing-settings.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

const NO_TLS = { ca: undefined, cert: undefined, key: undefined };
const here = fileURLToPath(import.meta.url);

test('traces are made with an endpoint only, and not if they are switched off', () => {
  expect(readServerSettings({ OTEL_SERVICE_NAME: 'kyc' }).tracing).toBeUndefined();
  expect(readServerSettings(ENDPOINT).tracing).toEqual({ headers: undefined, tls: NO_TLS });
  expect(readServerSettings({ ...ENDPOINT, OTEL_SDK_DISABLED: 'false' }).tracing).toBeDefined();
  expect(readServerSettings({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }).tracing).toBeUndefined();
  expect(readServerSettings({ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }).tracing).toBeUndefined();
});

test('variables that count for traces only are not checked where none are sent', () => {
  const others = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'jaeger_remote' };
  expect(readServerSettings(others).tracing).toBeUndefined();
  expect(readServerSettings({ ...ENDPOINT, ...others, OTEL_SDK_DISABLED: 'true' }).tracing).toBeUndefined();
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not a valid URL'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://collector:4317' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not a valid URL'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not a valid URL'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://u:hunter2@collector' }, 'OTEL_EXPORTER_OTLP_ENDPOINT has a user'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'hunter2' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is not a valid URL'],
  [
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc": expected one of http/protobuf',
  ],
  [
    { OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is "grpc": expected one of',
  ],
  [{ OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd' }, 'OTEL_EXPORTER_OTLP_COMPRESSION is "zstd": expected one of gzip'],
  [{ OTEL_EXPORTER_OTLP_TIMEOUT: '10s' }, 'OTEL_EXPORTER_OTLP_TIMEOUT is "10s": expected a whole number'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'hunter2' }, 'OTEL_EXPORTER_OTLP_HEADERS is invalid: expected pairs'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'api key=hunter2' }, 'OTEL_EXPORTER_OTLP_HEADERS is invalid: expected pairs'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=hunter2%ZZ' }, 'OTEL_EXPORTER_OTLP_HEADERS is invalid: expected pairs'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=hunter2%0A' }, 'OTEL_EXPORTER_OTLP_HEADERS is invalid: expected pairs'],
  [{ OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'hunter2' }, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS is invalid: expected'],
  [
    { OTEL_EXPORTER_OTLP_CERTIFICATE: '/no/ca.pem' },
    'OTLP_CERTIFICATE is "/no/ca.pem": the file cannot be read (ENOENT)',
  ],
  [{ OTEL_EXPORTER_OTLP_CERTIFICATE: here }, 'the file has no valid PEM'],
  [{ OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: here }, 'OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY is '],
  [
    { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '0' },
    'OTEL_BSP_MAX_EXPORT_BATCH_SIZE is "0": expected a whole number from 1',
  ],
  [{ OTEL_BSP_MAX_QUEUE_SIZE: '0' }, 'OTEL_BSP_MAX_QUEUE_SIZE is "0": expected a whole number from 1'],
  [{ OTEL_BSP_SCHEDULE_DELAY: 'soon' }, 'OTEL_BSP_SCHEDULE_DELAY is "soon": expected a whole number'],
  [{ OTEL_BSP_EXPORT_TIMEOUT: '-1' }, 'OTEL_BSP_EXPORT_TIMEOUT is "-1": expected a whole number'],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'kyc' }, 'OTEL_RESOURCE_ATTRIBUTES is "kyc": expected pairs such as team=kyc'],
  [{ OTEL_TRACES_EXPORTER: 'console' }, 'OTEL_TRACES_EXPORTER is "console": expected one of otlp, none'],
  [{ OTEL_TRACES_SAMPLER: 'always' }, 'OTEL_TRACES_SAMPLER is "always": expected one of always_on, always_off'],
  [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, 'OTEL_TRACES_SAMPLER_ARG is "1.5": expected a share from 0 to 1'],
  [{ OTEL_TRACES_SAMPLER_ARG: '5 %' }, 'OTEL_TRACES_SAMPLER_ARG is "5 %": expected a share from 0 to 1'],
  [{ OTEL_SDK_DISABLED: 'yes' }, 'OTEL_SDK_DISABLED is "yes": expected one of true, false'],
])('%o is refused', (environment, message) => {
  const read = () => readServerSettings({ ...ENDPOINT, ...environment });
  expect(read).toThrow(message);
  expect(read).not.toThrow(/hunter2/);
});

test.each(['authorization=Bearer%20a.b-c%3D', 'authorization=Bearer abc==, x-team = kyc'])(
  'headers: %s',
  (headers) => {
    expect(readServerSettings({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: headers }).tracing).toEqual({
      headers,
      tls: NO_TLS,
    });
  },
);

test('certificates and keys for the collector are read, those for traces first', () => {
  const folder = temporaryFolder();
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(certificate, LOCALHOST_CERTIFICATE);
  writeFileSync(key, LOCALHOST_PEM);
  const { tracing } = readServerSettings({
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_CERTIFICATE: '/no/ca.pem',
    OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: certificate,
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: certificate,
    OTEL_EXPORTER_OTLP_CLIENT_KEY: key,
  });
  const cert = Buffer.from(LOCALHOST_CERTIFICATE);
  expect(tracing?.tls).toEqual({ ca: cert, cert, key: Buffer.from(LOCALHOST_PEM) });
});

test.each(['0', '1', '0.05', '.5', '1.0'])('%s is a share of traces', (share) => {
  expect(readServerSettings({ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: share }).tracing).toBeDefined();
});

test('docs/operations.md lists each checked variable of OpenTelemetry', () => {
  const docs = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const listed = docs
    .split('\n')
    .filter((line) => line.startsWith('| `OTEL_'))
    .join('\n');
  expect(TRACING_VARIABLES).toContain('OTEL_BSP_MAX_QUEUE_SIZE');
  // One sentence is about those of the exporter with TRACES_ in their names.
  const rows = TRACING_VARIABLES.filter((name) => !name.startsWith('OTEL_EXPORTER_OTLP_TRACES_'));
  expect(rows.filter((name) => !listed.includes(`\`${name}\``))).toEqual([]);
  expect(docs).toContain('`OTEL_EXPORTER_OTLP_TRACES_…`');
});
