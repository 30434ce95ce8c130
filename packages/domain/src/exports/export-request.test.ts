import { expect, it } from 'vitest';
import {
  EXPORT_CODE_ATTEMPTS,
  EXPORT_DECLINED_MS,
  EXPORT_DOWNLOADS,
  exportStateOf,
  isDeclinable,
  isReleased,
} from './export-request.ts';

const END = new Date('2026-03-02T10:00:00.000Z');
const before = new Date(END.getTime() - 1);

const NONE = { expiresAt: END, wrongCodes: 0, downloads: 0, declinedAt: null };

it.each([
  ['requested', { ...NONE, expiresAt: null }, END],
  ['released', NONE, before],
  ['released', { ...NONE, wrongCodes: EXPORT_CODE_ATTEMPTS - 1 }, before],
  ['released', { ...NONE, downloads: EXPORT_DOWNLOADS - 1 }, before],
  ['ended', { ...NONE, wrongCodes: EXPORT_CODE_ATTEMPTS }, before],
  ['ended', { ...NONE, downloads: EXPORT_DOWNLOADS }, before],
  ['ended', NONE, END],
  ['declined', { ...NONE, declinedAt: before }, new Date(before.getTime() + EXPORT_DECLINED_MS - 1)],
  ['declined', { ...NONE, expiresAt: null, declinedAt: END }, END],
  ['ended', { ...NONE, expiresAt: null, declinedAt: END }, new Date(END.getTime() + EXPORT_DECLINED_MS)],
] as const)('exportStateOf: %s for %j at %s', (state, request, now) => {
  expect(exportStateOf(request, now)).toBe(state);
});

it.each([
  [true, { ...NONE, downloads: EXPORT_DOWNLOADS }, before],
  [false, { ...NONE, expiresAt: null }, before],
  [false, { ...NONE, wrongCodes: EXPORT_CODE_ATTEMPTS }, before],
  [false, { ...NONE, declinedAt: before }, before],
  [false, NONE, END],
] as const)('isReleased: %s for %j at %s', (expected, request, now) => {
  expect(isReleased(request, now)).toBe(expected);
});

it.each([
  [true, 'subject', { ...NONE, expiresAt: null }, END],
  [true, 'subject', NONE, before],
  [false, 'subject', NONE, END],
  [false, 'subject', { ...NONE, declinedAt: before }, before],
  [false, 'team_member', { ...NONE, expiresAt: null }, END],
  [false, 'operator', NONE, before],
] as const)('isDeclinable: %s for one that a %s requested, %j at %s', (expected, requestedBy, request, now) => {
  expect(isDeclinable({ ...request, requestedBy }, now)).toBe(expected);
});
