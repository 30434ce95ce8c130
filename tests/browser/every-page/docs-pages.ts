import type { Looking } from './looking.ts';

const GUIDES = [
  'life-of-a-verification',
  'errors',
  'idempotency',
  'limits',
  'webhooks',
  'test-mode',
  'retention',
  'embedding',
];

/** Checks the documentation for developers. It is in English for every reader. */
export async function lookAtDocs({ newReader }: Looking): Promise<void> {
  const reader = await newReader('en');
  await reader.look('/docs', 200, 'en');
  for (const guide of GUIDES) await reader.look(`/docs/guides/${guide}`, 200, 'en');
  await reader.look('/docs/reference', 200, 'en');
  reader.expectNothingWrong();
}
