import { expect, it } from 'vitest';
import { PART_NAMES } from '../core/storage-parts.ts';
import { ACTIONS, AUDIT_ACTIONS, auditActionsOf } from './catalogue.ts';

it('a service with every part can record every action of the audit log', () => {
  expect(auditActionsOf(new Set(PART_NAMES), ACTIONS)).toEqual(AUDIT_ACTIONS);
});

it.each([
  ['webhooks', 'webhooks.create'],
  ['retention', 'verifications.data_erased'],
  ['exports', 'exports.download'],
  ['handOvers', 'hand_overs.issue'],
] as const)('a service without %s records no %s, and any action of its own catalogue', (missing, action) => {
  const parts = new Set(PART_NAMES.filter((part) => part !== missing));
  const recorded = auditActionsOf(parts, [{ id: 'shop.close', needs: [] }]);
  expect(AUDIT_ACTIONS).toContain(action);
  expect(recorded).not.toContain(action);
  expect(recorded).toEqual(expect.arrayContaining(['shop.close', 'api_keys.create', 'page.request']));
});
