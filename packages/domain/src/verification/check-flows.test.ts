import { expect, test } from 'vitest';
import { checkFlows } from './check-flows.ts';
import { BUILT_IN_FLOWS } from './flow.ts';

test('the built-in flows pass the check, which the core leaves out for them', () => {
  expect(checkFlows(BUILT_IN_FLOWS)).toBe(BUILT_IN_FLOWS);
});
