import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import {
  actionNeeded,
  CONTEXT,
  completed,
  completing,
  file,
  LINK_CONTEXT,
  NOW,
} from '../../test-support/verifications.ts';
import { EVIDENCE_MAX_FILES, type EvidenceKind } from '../evidence/evidence-file.ts';
import type { StepKey } from './flow.ts';
import { approve, askForAction } from './reviewer-moves.ts';
import { saveDraft } from './save-draft.ts';
import { attachFile, submit } from './subject-moves.ts';
import type { Verification } from './verification.ts';

const idsOf = ({ files }: Verification): string[] => files.map(({ id }) => id);

const uploaded = (verification: Verification, step: StepKey, kind: EvidenceKind, id: string): Verification =>
  attachFile(verification, file(step, kind, id)).next;

/** With as many more pictures of the face as are taken. */
function fullOfRetakes(verification: Verification): Verification {
  let current = verification;
  for (let n = 1; current.files.length < EVIDENCE_MAX_FILES; n += 1) {
    current = uploaded(current, 'selfie', 'selfie', `retake-${n}`);
  }
  return current;
}

/** With another front of the document. */
const withFront = (verification: Verification, id: string): Verification =>
  completing(uploaded(verification, 'document', 'document_front', id), 'document', {
    ...GOOD_ANSWERS.kyc.document,
    frontFileId: id,
  });

const askedForDocument = (verification: Verification): Verification => {
  const items = [{ step: 'document', reasonCode: 'document_glare' as const }];
  return askForAction(verification, { items }, LINK_CONTEXT).next;
};

describe('files at submission', () => {
  it('files at submission that no answer names are removed', () => {
    const { next } = submit(fullOfRetakes(completed()), NOW);
    expect(idsOf(next)).toEqual(['document_front', 'document_back', 'selfie', 'proof_of_address']);
  });

  it('files at submission that were replaced before it, or only drafted, are removed', () => {
    const replaced = withFront(completed(), 'better');
    const another = uploaded(replaced, 'selfie', 'selfie', 'drafted');
    const part = { step: 'selfie', fields: ['fileId'], input: { fileId: 'drafted' } };
    const { next } = submit(saveDraft(another, part, CONTEXT).next, NOW);
    expect(idsOf(next)).toEqual(['document_back', 'selfie', 'proof_of_address', 'better']);
  });

  it('files at submission that were replaced in a redo stay, also after the decision', () => {
    const { next } = submit(withFront(actionNeeded(['document']), 'better'), NOW);
    expect(idsOf(next)).toEqual(['document_front', 'document_back', 'selfie', 'proof_of_address', 'better']);
    expect(idsOf(approve(next, NOW).next)).toContain('document_front');
  });

  it('files at submission that were replaced in the first of two redos stay too', () => {
    const once = submit(withFront(actionNeeded(['document']), 'better'), NOW).next;
    const twice = submit(withFront(askedForDocument(once), 'best'), NOW).next;
    expect(idsOf(twice)).toEqual(expect.arrayContaining(['document_front', 'better', 'best']));
  });

  it('files at submission that were added and replaced in the same redo are removed: no reviewer saw them', () => {
    const better = withFront(actionNeeded(['document']), 'better');
    const { next } = submit(withFront(better, 'best'), NOW);
    expect(idsOf(next)).toEqual(['document_front', 'document_back', 'selfie', 'proof_of_address', 'best']);
  });
});

// Somebody who had retaken pictures up to the limit could never send what a reviewer asked for.
it('a redo has room, however many pictures were replaced before', () => {
  const asked = askedForDocument(submit(fullOfRetakes(completed()), NOW).next);
  expect(idsOf(submit(withFront(asked, 'better'), NOW).next)).toContain('better');
});

describe('repeated requests for everything', () => {
  const answers = (n: number) => ({
    documents: {
      registrationExtractFileId: `extract-${n}`,
      articlesFileId: `articles-${n}`,
      ownershipChartFileId: `chart-${n}`,
      proofOfAddressFileId: `proof-${n}`,
    },
    representative: {
      document: {
        type: 'id_card',
        issuingCountry: 'DE',
        number: 'L01X00T47',
        frontFileId: `front-${n}`,
        backFileId: `back-${n}`,
      },
      selfieFileId: `selfie-${n}`,
      authorityFileId: `authority-${n}`,
    },
  });
  const FILES: readonly (readonly [StepKey, EvidenceKind, string])[] = [
    ['documents', 'registration_extract', 'extract'],
    ['documents', 'articles', 'articles'],
    ['documents', 'ownership_chart', 'chart'],
    ['documents', 'proof_of_address', 'proof'],
    ['representative', 'document_front', 'front'],
    ['representative', 'document_back', 'back'],
    ['representative', 'selfie', 'selfie'],
    ['representative', 'authority', 'authority'],
  ];
  const STEPS = ['documents', 'representative'] as const;

  /** All that a business can name, for the nth time. */
  function handedIn(verification: Verification, n: number): Verification {
    let current = verification;
    for (const step of STEPS) {
      for (const [of, kind, name] of FILES) {
        if (of === step) current = uploaded(current, step, kind, `${name}-${n}`);
      }
      current = completing(current, step, answers(n)[step]);
    }
    return submit(current, NOW).next;
  }
  const askedForAll = (verification: Verification): Verification => {
    const items = STEPS.map((step) => ({ step, reasonCode: 'data_mismatch' as const }));
    return askForAction(verification, { items }, LINK_CONTEXT).next;
  };

  it('a business has room for all its files twice, not three times; the refusal names the limit', () => {
    const first = handedIn(completed('kyb'), 1);
    expect(first.files).toHaveLength(FILES.length);
    const second = handedIn(askedForAll(first), 2);
    expect(second.files).toHaveLength(2 * FILES.length);
    expect(() => handedIn(askedForAll(second), 3)).toThrow(
      expect.objectContaining({
        code: 'FILE_LIMIT_REACHED',
        message: 'The verification has reached its limit of files. Continue with those already uploaded.',
      }),
    );
  });
});
