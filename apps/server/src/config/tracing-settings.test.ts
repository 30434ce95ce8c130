import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readServerSettings } from './environment.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

test('traces are made with an endpoint only, and not if they are switched off', () => {
  expect(readServerSettings({ OTEL_SERVICE_NAME: 'kyc' }).tracing).toBeUndefined();
  expect(readServerSettings(ENDPOINT).tracing).toEqual({ headers: undefined });
  expect(readServerSettings({ ...ENDPOINT, OTEL_SDK_DISABLED: 'false' }).tracing).toBeDefined();
  expect(readServerSettings({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }).tracing).toBeUndefined();
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not a valid URL'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://collector:4317' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not a valid URL'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not a valid URL'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://u:hunter2@collector' }, 'OTEL_EXPORTER_OTLP_ENDPOINT has a user'],
  [
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc": expected one of http/protobuf',
  ],
  [{ OTEL_TRACES_SAMPLER: 'always' }, 'OTEL_TRACES_SAMPLER is "always": expected one of always_on, always_off'],
  [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, 'OTEL_TRACES_SAMPLER_ARG is "1.5": expected a share from 0 to 1'],
  [{ OTEL_TRACES_SAMPLER_ARG: '5 %' }, 'OTEL_TRACES_SAMPLER_ARG is "5 %": expected a share from 0 to 1'],
  [{ OTEL_SDK_DISABLED: 'yes' }, 'OTEL_SDK_DISABLED is "yes": expected one of true, false'],
])('%o is refused', (environment, message) => {
  const read = () => readServerSettings(environment);
  expect(read).toThrow(message);
  expect(read).not.toThrow(/hunter2/);
});

test.each(['0', '1', '0.05', '.5', '1.0'])('%s is a share of traces', (share) => {
  expect(readServerSettings({ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: share }).tracing).toBeDefined();
});

test('docs/operations.md lists each checked variable of OpenTelemetry', () => {
  const docs = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const source = readFileSync(new URL('environment.ts', import.meta.url), 'utf8');
  const checked = new Set(source.match(/OTEL_[A-Z_]+/g));
  expect(checked.size).toBe(7);
  const listed = docs
    .split('\n')
    .filter((line) => line.startsWith('| `OTEL_'))
    .join('\n');
  expect([...checked].filter((name) => !listed.includes(`\`${name}\``))).toEqual([]);
});
