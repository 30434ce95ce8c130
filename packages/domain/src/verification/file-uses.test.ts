import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import {
  actionNeeded,
  answered,
  CONTEXT,
  completed,
  completing,
  file,
  pending,
} from '../../test-support/verifications.ts';
import type { EvidenceFile, EvidenceKind } from '../evidence/evidence-file.ts';
import { defineStep } from '../fields/step.ts';
import { answerScreen } from './answer-screen.ts';
import { requireNewContent } from './file-uses.ts';
import type { StepKey } from './flow.ts';
import { saveDraft } from './save-draft.ts';
import { attachFile, receiveFile } from './subject-moves.ts';
import type { Verification } from './verification.ts';

const after = (...steps: StepKey[]) => steps.reduce<Verification>(answered, pending());

/** An upload with the content of another one. */
const copyOf = (of: EvidenceFile, step: StepKey, kind: EvidenceKind): EvidenceFile => ({
  ...file(step, kind, `copy for ${kind}`),
  sha256: of.sha256,
});

const front = file('document', 'document_front');
const back = file('document', 'document_back');
const usedAs = (step: StepKey, kind: EvidenceKind) =>
  expect.objectContaining({ code: 'FILE_USED_ELSEWHERE', data: { usedFor: { step, kind } } }) as Error;

describe('receiveFile: an upload with the content of another place', () => {
  it('is refused with the place that names it', () => {
    const upload = () => receiveFile(after('consent', 'document', 'person'), copyOf(front, 'selfie', 'selfie'));
    expect(upload).toThrow(usedAs('document', 'document_front'));
  });

  it('an upload of a kind that the step does not take is refused for its kind', () => {
    const upload = () => receiveFile(after('consent', 'document', 'person'), copyOf(front, 'selfie', 'articles'));
    expect(upload).toThrow(expect.objectContaining({ code: 'INVALID_PARAMETERS' }));
  });

  it('is refused if only a draft names it', () => {
    const uploaded = attachFile(after('consent'), front).next;
    const part = { step: 'document', fields: ['frontFileId'], input: { frontFileId: front.id } };
    const drafted = saveDraft(uploaded, part, CONTEXT).next;
    const upload = () => receiveFile(drafted, copyOf(front, 'document', 'document_back'));
    expect(upload).toThrow(usedAs('document', 'document_front'));
  });

  it('an upload is refused if a field of the same name in another step names its content', () => {
    const proof = defineStep<{ readonly fileId: string }>({
      fields: { fileId: { kind: 'file', evidence: 'proof_of_address' } },
      pages: { proof: ['fileId'] },
    });
    const before = pending();
    const selfie = file('selfie', 'selfie');
    const drafted: Verification = {
      ...before,
      flow: { ...before.flow, steps: { selfie: before.flow.steps.selfie ?? expect.fail(), address: proof } },
      files: [selfie],
      drafts: { selfie: { fileId: selfie.id } },
    };
    const upload = copyOf(selfie, 'address', 'proof_of_address');
    const use = { step: 'address', path: 'fileId', file: upload } as const;
    expect(() => requireNewContent(drafted, use)).toThrow(usedAs('selfie', 'selfie'));
  });

  it('is accepted if that place has another file by now, or its upload was never used', () => {
    const uploaded = attachFile(after('consent'), file('document', 'document_front', 'first try')).next;
    const document = answered(uploaded, 'document');
    const first = copyOf(file('document', 'document_front', 'first try'), 'selfie', 'selfie');
    const before = answered(document, 'person');
    expect(receiveFile(before, first).next.files.at(-1)).toEqual(first);
  });

  it('is accepted if that place is not asked any more: the document is a passport by now', () => {
    const uploaded = attachFile(attachFile(after('consent'), front).next, back).next;
    const fields = ['type', 'frontFileId', 'backFileId'];
    const drafted = (current: Verification, answers: Record<string, string>) =>
      saveDraft(current, { step: 'document', fields: [...fields], input: answers }, CONTEXT).next;
    const ids = { frontFileId: front.id, backFileId: back.id };
    const page = copyOf(back, 'document', 'document_front');
    const card = drafted(uploaded, { type: 'id_card', ...ids });
    expect(() => receiveFile(card, page)).toThrow(usedAs('document', 'document_back'));
    const passport = drafted(card, { type: 'passport', ...ids });
    const received = receiveFile(passport, page).next;
    const next = drafted(received, { type: 'passport', ...ids, frontFileId: page.id });
    expect(next.drafts.document).toMatchObject({ frontFileId: page.id });
  });

  it('is accepted in its own place', () => {
    const again = copyOf(front, 'document', 'document_front');
    expect(receiveFile(after('consent', 'document'), again).next.files.at(-1)).toEqual(again);
  });

  it('is accepted for a redo if the place of that content is redone too: front and back were swapped', () => {
    const asked = actionNeeded(['document']);
    const [newFront, newBack] = [
      copyOf(back, 'document', 'document_front'),
      copyOf(front, 'document', 'document_back'),
    ];
    const uploaded = receiveFile(receiveFile(asked, newFront).next, newBack).next;
    const redone = completing(uploaded, 'document', {
      ...GOOD_ANSWERS.kyc.document,
      frontFileId: newFront.id,
      backFileId: newBack.id,
    });
    expect(redone).toMatchObject({ status: 'action_needed', awaiting: [] });
  });
});

describe('answers that name one content in two places', () => {
  const selfie = copyOf(front, 'selfie', 'selfie');

  it('answers that name one content in two places are refused, also when both were uploaded before one was named', () => {
    const both = attachFile(after('consent', 'document', 'person'), selfie).next;
    expect(() => completing(both, 'selfie', { fileId: selfie.id })).toThrow(usedAs('document', 'document_front'));
    const part = { step: 'selfie', fields: ['fileId'], input: { fileId: selfie.id } };
    expect(() => saveDraft(both, part, CONTEXT)).toThrow(usedAs('document', 'document_front'));
  });

  it('answers that name one content in two places are refused within one step', () => {
    const copy = copyOf(front, 'document', 'document_back');
    const both = attachFile(attachFile(after('consent'), front).next, copy).next;
    const answers = { ...GOOD_ANSWERS.kyc.document, backFileId: copy.id };
    expect(() => completing(both, 'document', answers)).toThrow(usedAs('document', 'document_back'));
  });

  it('answers that name one content in two places are refused in a draft of several fields, too', () => {
    const copy = copyOf(front, 'document', 'document_back');
    const both = attachFile(attachFile(after('consent'), front).next, copy).next;
    const input = { type: 'id_card', frontFileId: front.id, backFileId: copy.id };
    const part = { step: 'document', fields: Object.keys(input), input };
    expect(() => saveDraft(both, part, CONTEXT)).toThrow(usedAs('document', 'document_back'));
  });

  it('answers that name one content in two places are refused with the place that had it before', () => {
    const copy = copyOf(front, 'document', 'document_back');
    const both = attachFile(after('consent', 'document'), copy).next;
    const answers = { ...GOOD_ANSWERS.kyc.document, backFileId: copy.id };
    expect(() => completing(both, 'document', answers)).toThrow(usedAs('document', 'document_front'));
  });

  it('drafts of an earlier version that name one content in two places lead to the page of one of them', () => {
    const step = 'representative';
    const [one, two, three] = [
      file(step, 'document_front'),
      copyOf(front, step, 'document_back'),
      copyOf(front, step, 'selfie'),
    ] as const;
    const document = { ...GOOD_ANSWERS.kyc.document, frontFileId: one.id, backFileId: two.id };
    const before = ['consent', 'business', 'addresses', 'ownership', 'documents'] as const;
    const begun = before.reduce<Verification>(answered, pending('kyb'));
    const files = [...begun.files, one, two, three];
    const drafted = { ...begun, files, drafts: { [step]: { document, selfieFileId: three.id } } };
    const last = answerScreen(drafted, { screen: 'authority', input: {} }, CONTEXT);
    expect(last).toMatchObject({ screenToCorrect: 'document-front', transition: { event: null } });
  });

  it('answers of an earlier version that name one content in two places stay: another change of the step is accepted', () => {
    const stored = completed();
    const files = stored.files.map((each) => (each.kind === 'selfie' ? { ...each, sha256: front.sha256 } : each));
    const changed = { ...GOOD_ANSWERS.kyc.document, number: 'X1' };
    expect(completing({ ...stored, files }, 'document', changed).steps.document?.answers).toMatchObject(changed);
  });
});
