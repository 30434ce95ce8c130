import { expect, test } from 'vitest';
import { someFlowRules } from '../../../test-support/flow-rules.ts';
import { aReading } from '../../../test-support/readings.ts';
import { NOW, submitted } from '../../../test-support/verifications.ts';
import { createReadWarnings } from './read-warnings.ts';

test('readWarnings: reads the readings that the caller has not read, and no others', async () => {
  const unread = aReading({ documentNumber: 'L01X00T48' });
  const readWarnings = createReadWarnings({
    clock: { now: () => NOW },
    readFlowRules: async () => someFlowRules(),
    documents: { of: async () => [unread] },
    numberChecks: undefined,
    findOthers: async () => [],
  });
  const codes = async (before?: { readonly readings: [] }) =>
    (await readWarnings(submitted(), before)).map(({ code }) => code);
  expect(await codes()).toContain('reading_edited');
  expect(await codes({ readings: [] })).not.toContain('reading_edited');
});
