import { expect, it } from 'vitest';
import { EXPORT_CODE_ATTEMPTS, exportStateOf } from './export-request.ts';

const END = new Date('2026-03-02T10:00:00.000Z');
const before = new Date(END.getTime() - 1);

it.each([
  ['requested', { expiresAt: null, wrongCodes: 0 }, END],
  ['released', { expiresAt: END, wrongCodes: 0 }, before],
  ['released', { expiresAt: END, wrongCodes: EXPORT_CODE_ATTEMPTS - 1 }, before],
  ['ended', { expiresAt: END, wrongCodes: EXPORT_CODE_ATTEMPTS }, before],
  ['ended', { expiresAt: END, wrongCodes: 0 }, END],
] as const)('exportStateOf: %s for %j at %s', (state, request, now) => {
  expect(exportStateOf(request, now)).toBe(state);
});
