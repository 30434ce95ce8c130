import { describe, expect, it } from 'vitest';
import {
  actionNeeded,
  answered,
  CONTEXT,
  found,
  inState,
  pending,
  submitted,
} from '../../test-support/verifications.ts';
import { claim, note } from './reviewer-moves.ts';
import { saveDraft } from './save-draft.ts';
import type { Verification } from './verification.ts';
import { toRecord } from './verification-record.ts';
import { detailsOf, viewWithoutData } from './views.ts';

const NOW = new Date('2026-03-01T10:00:00.000Z');
const links = { url: (id: string, version: number) => `${id} ${version}`, idIn: () => '', check: () => undefined };

describe('the steps that a client sees', () => {
  const statesOf = (verification: Verification) =>
    detailsOf(found(verification), links).steps.map(({ key, status }) => `${key} ${status}`);

  it('the steps that a client sees are pending before their first answers, then completed', () => {
    expect(statesOf(answered(pending(), 'consent'))).toEqual([
      'consent completed',
      'document pending',
      'person pending',
      'selfie pending',
      'address pending',
      'attestation pending',
    ]);
  });

  it('need action from a request until they are answered again', () => {
    const asked = actionNeeded(['selfie']);
    expect(statesOf(asked).filter((state) => !state.endsWith('completed'))).toEqual(['selfie action_needed']);
    expect(statesOf(answered(asked, 'selfie'))).toContain('selfie completed');
  });
});

describe('the documents that a client sees and exports', () => {
  it('the documents name a file without its thumbnail', () => {
    const verification = submitted();
    const thumbnail = { size: 4_000, sha256: 'b'.repeat(64) };
    const files = verification.files.map((each) => ({ ...each, thumbnail }));
    const { documents } = detailsOf(found({ ...verification, files }), links);
    expect(documents.map(({ id }) => id)).toEqual(files.map(({ id }) => id));
    expect(JSON.stringify(documents)).not.toMatch(/thumbnail/i);
  });
});

describe('the stored documents of a verification', () => {
  const partsOf = (verification: Verification) => {
    const { answers, reviewData } = toRecord(verification);
    return [...Object.keys(answers), ...Object.keys(reviewData)];
  };

  it('the stored documents of a verification are empty at first', () => {
    expect(partsOf(pending())).toEqual([]);
  });

  it.each<[string, Verification, string[]]>([
    ['answers', answered(pending(), 'consent'), ['steps']],
    [
      'a draft',
      saveDraft(pending(), { step: 'consent', fields: ['locale'], input: { locale: 'de' } }, CONTEXT).next,
      ['drafts'],
    ],
    [
      'replaced answers',
      answered(actionNeeded(['person']), 'person'),
      ['steps', 'earlier', 'files', 'request', 'awaiting'],
    ],
    [
      'a note',
      note(submitted(), 'a copy?', { reviewerId: 'rita', now: NOW }).next,
      ['steps', 'files', 'internalNotes'],
    ],
  ])('hold %s and nothing that is empty', (_what, verification, parts) => {
    expect(partsOf(verification)).toEqual(parts);
  });

  it('the stored documents of a verification have columns for a claim', () => {
    const claimed = claim(submitted(), { reviewerId: 'rita', now: NOW })?.next as Verification;
    expect(toRecord(claimed)).toMatchObject({ claimedBy: 'rita', claimedAt: NOW });
    expect(toRecord(pending())).toMatchObject({ claimedBy: null, claimedAt: null });
  });
});

describe('a listed verification whose data cannot be read', () => {
  const listed = (verification: Verification) => viewWithoutData(toRecord(verification), 'UNREADABLE', links);

  it('a listed verification whose data cannot be read shows its columns and the reason', () => {
    expect(listed(submitted())).toMatchObject({
      status: 'submitted',
      metadata: { tier: 'gold' },
      submittedData: {},
      dataError: 'UNREADABLE',
    });
  });

  it('a listed verification that is hidden shows no metadata either', () => {
    const hidden = { ...inState('approved'), erasureRequestedAt: NOW };
    expect(listed(hidden).metadata).toEqual({});
  });
});
