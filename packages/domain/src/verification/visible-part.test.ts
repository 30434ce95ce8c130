import { describe, expect, it } from 'vitest';
import { found, inState, NOW } from '../../test-support/verifications.ts';
import { currentStepOf } from './progress.ts';
import { unreadableRecord } from './unreadable.ts';
import type { Verification } from './verification.ts';
import { toRecord } from './verification-record.ts';
import { detailsOf, viewOf, viewWithoutData, wholeDetailsOf } from './views.ts';
import { visiblePart } from './visible-part.ts';

const links = { url: (id: string, version: number) => `${id} ${version}`, idIn: () => '', check: () => undefined };

const approved: Verification = {
  ...inState('approved'),
  internalNotes: [{ text: 'A canary of a note', reviewerId: 'staff-1', writtenAt: NOW.toISOString() }],
  hold: { reason: 'A canary of a reason', setBy: 'team_member' },
  metadata: { canary: 'of metadata' },
};
const requested: Verification = { ...approved, erasureRequestedAt: NOW };

describe('a verification whose erasure was requested', () => {
  it.each([
    ['requested', { erasureRequestedAt: NOW }],
    ['requested and on hold', { erasureRequestedAt: NOW, heldAt: NOW }],
    ['begun', { erasedAt: NOW }],
  ])('%s: no read has answers, files, notes or metadata', (_what, facts) => {
    const hidden = { ...approved, ...facts };
    const lists = { earlierAnswers: [], files: [], internalNotes: [], openings: [] };
    expect(visiblePart(hidden)).toMatchObject(lists);
    const shown = [visiblePart(hidden), viewOf(hidden, links), detailsOf(found(hidden), links)];
    expect(shown[1]).toMatchObject({ submittedData: {}, metadata: {} });
    expect(shown[2]).toMatchObject({ submittedData: {}, metadata: {}, documents: [] });
    for (const one of shown) {
      const text = JSON.stringify({ ...one, flow: null });
      for (const canary of ['小町', 'canary', 'document_front']) expect(text).not.toContain(canary);
    }
  });

  it('keeps its id, type, status, times, step and decision', () => {
    const { submittedData: _, metadata: __, documents: ___, steps, ...kept } = detailsOf(found(approved), links);
    const withoutAnswers = steps.map((step) => ({ ...step, completedAt: null }));
    expect(detailsOf(found(requested), links)).toMatchObject({ ...kept, steps: withoutAnswers });
    expect(currentStepOf(visiblePart(requested))).toBe(currentStepOf(approved));
  });

  it('a verification whose erasure was requested is whole only for an opening with a reason', () => {
    expect(wholeDetailsOf(found(requested), links)).toEqual(detailsOf(found(approved), links));
  });

  it('a verification whose erasure was requested is listed without metadata if its documents cannot be read', () => {
    const { answers: _, reviewData: __, ...columns } = toRecord(requested);
    const listed = viewWithoutData(unreadableRecord(columns, new Error('damaged')), 'UNREADABLE', links);
    expect(listed).toMatchObject({ metadata: {}, submittedData: {}, dataError: 'UNREADABLE' });
  });
});

it('any other verification is shown whole', () => {
  expect(visiblePart(approved)).toBe(approved);
  expect(viewOf(approved, links).metadata).toEqual({ canary: 'of metadata' });
});
