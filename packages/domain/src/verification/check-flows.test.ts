import { expect, test } from 'vitest';
import { checkFlows } from './check-flows.ts';
import { BUILT_IN_FLOWS } from './flow.ts';

test('the built-in flows pass the check, which the core leaves out for them', () => {
  expect(checkFlows(BUILT_IN_FLOWS)).toBe(BUILT_IN_FLOWS);
});

test('checkFlows: two pages of a flow with one slug are refused by name', () => {
  const [first, last] = BUILT_IN_FLOWS.kyc;
  const selfie = last?.steps.selfie;
  const address = last?.steps.address;
  if (first === undefined || last === undefined || selfie === undefined || address === undefined) {
    throw new Error('A step is missing');
  }
  const [page] = selfie.pages;
  const twice = { ...address, pages: address.pages.map((one) => ({ ...one, slug: page?.slug ?? '' })) };
  const kyc = [first, { ...last, steps: { ...last.steps, address: twice } }];
  expect(() => checkFlows({ ...BUILT_IN_FLOWS, kyc })).toThrow(
    `Two pages of the kyc flow have the slug ${page?.slug}`,
  );
});
