import { expect, test } from 'vitest';
import { currentFlow, flowVersions } from './flow.ts';

test('flowVersions: lists each version once, lowest first, from where each type has a flow', () => {
  const [kyc, kyb] = [currentFlow('kyc'), currentFlow('kyb')];
  const flows = {
    kyc: [2, 4, 12].map((version) => ({ ...kyc, version })),
    kyb: [1, 2, 3].map((version) => ({ ...kyb, version })),
  };
  expect(flowVersions(flows)).toEqual([2, 3, 4, 12]);
});
