import type { DocumentReading, ReadRequest } from '@countersign/domain';
import { expect, it } from 'vitest';
import { countReadings } from './count-readings.ts';
import { createMetrics } from './metrics.ts';

const REQUEST: ReadRequest = {
  content: new Uint8Array(),
  contentType: 'image/jpeg',
  documentType: null,
  issuer: null,
};

it('readings are counted by outcome, with their duration and the queue', async () => {
  const results: unknown[] = [
    { outcome: 'read' },
    { outcome: 'nothing' },
    { outcome: 'off' },
    { outcome: '{a="b"}' },
    null,
  ];
  const metrics = createMetrics();
  const reader = countReadings(
    {
      read: async () => results.shift() as DocumentReading,
      stats: () => ({ waiting: 3 }),
    },
    metrics,
  );
  while (results.length > 0) await reader.read(REQUEST);
  const text = await metrics.text();
  for (const line of [
    'countersign_readings_total{outcome="read"} 1',
    'countersign_readings_total{outcome="nothing"} 1',
    'countersign_readings_total{outcome="failed"} 3',
    'countersign_reading_duration_seconds_count 5',
    'countersign_readings_waiting 3',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
});
