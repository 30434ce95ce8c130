import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import { CONTEXT, completing, file, LINK_CONTEXT, NOW, submitted } from '../../test-support/verifications.ts';
import type { EvidenceFile, EvidenceKind } from '../evidence/evidence-file.ts';
import type { ReasonCode } from './decision.ts';
import type { StepKey } from './flow.ts';
import { askForAction } from './reviewer-moves.ts';
import { completeStep, receiveFile, submit } from './subject-moves.ts';
import type { Verification } from './verification.ts';

const asked = (step: StepKey, reasonCode: ReasonCode): Verification =>
  askForAction(submitted(), { items: [{ step, reasonCode, note: 'Please look' }] }, LINK_CONTEXT).next;

/** An upload with the content that the reviewer has seen in this place. */
const again = (step: StepKey, kind: EvidenceKind, id = 'again'): EvidenceFile => ({
  ...file(step, kind),
  id: `${kind} ${id}`,
});

const REFUSED = { event: null, refusal: { code: 'FILE_UNCHANGED' } };
const document = (change: object = {}) => ({
  step: 'document',
  input: { ...GOOD_ANSWERS.kyc.document, ...change },
});

describe('an upload with the content that the reviewer has seen in its place', () => {
  const selfie = again('selfie', 'selfie');

  it('is refused once, and the second one is marked', () => {
    const before = asked('selfie', 'selfie_unclear');
    const first = receiveFile(before, selfie);
    expect(first).toMatchObject(REFUSED);
    expect(first.next.files).toEqual(before.files);
    const second = receiveFile(first.next, selfie);
    expect(second.event).toMatchObject({ type: 'verification.file_attached' });
    expect(second.next.files.at(-1)).toEqual({ ...selfie, isUnchanged: true });
    const redone = completing(second.next, 'selfie', { fileId: selfie.id });
    expect(redone).toMatchObject({ awaiting: [] });
  });

  it('is refused whatever the reason, and once for each place', () => {
    const first = receiveFile(asked('document', 'other'), again('document', 'document_front')).next;
    expect(receiveFile(first, again('document', 'document_back'))).toMatchObject(REFUSED);
  });

  it('an upload is refused although another step had a refusal in a place of the same name', () => {
    const before = asked('selfie', 'selfie_unclear');
    if (before.status !== 'action_needed') expect.fail('No action is asked for');
    const refusedPlaces = [{ step: 'document', path: 'fileId' }] as const;
    expect(receiveFile({ ...before, refusedPlaces }, selfie)).toMatchObject(REFUSED);
  });

  it('is refused, too, after the step was redone with another file', () => {
    const other = file('selfie', 'selfie', 'another');
    const redone = completing(receiveFile(asked('selfie', 'selfie_unclear'), other).next, 'selfie', {
      fileId: other.id,
    });
    expect(receiveFile(redone, selfie)).toMatchObject(REFUSED);
  });

  it('is accepted before the first submission and without a request for its step', () => {
    const other = file('document', 'document_front', 'another');
    expect(receiveFile(asked('document', 'document_glare'), other)).toMatchObject({
      event: { type: 'verification.file_attached' },
    });
  });
});

describe('a redo that keeps its files', () => {
  const keep = (before: Verification, change = {}) => completeStep(before, document(change), CONTEXT);

  it('a redo that keeps its files is refused once if the reviewer asked for another file; then its files are marked', () => {
    const first = keep(asked('document', 'document_glare'), { number: 'X1' });
    expect(first).toMatchObject({ ...REFUSED, next: { awaiting: ['document'] } });
    const second = first && keep(first.next, { number: 'X1' });
    expect(second).toMatchObject({ next: { awaiting: [] } });
    const marked = second?.next.files.filter(({ isUnchanged }) => isUnchanged).map(({ kind }) => kind);
    expect(marked).toEqual(['document_front', 'document_back']);
  });

  it('a redo that keeps its files is accepted if one file is new: the reason may be about the front alone', () => {
    const front = file('document', 'document_front', 'new front');
    const uploaded = receiveFile(asked('document', 'document_glare'), front).next;
    const redone = keep(uploaded, { frontFileId: front.id });
    expect(redone).toMatchObject({ next: { awaiting: [] } });
    expect(redone?.next.files.filter(({ isUnchanged }) => isUnchanged)).toEqual([]);
  });

  it.each<ReasonCode>(['data_mismatch', 'other'])(
    'a redo that keeps its files with the reason %s is accepted if other answers change',
    (reason) => {
      expect(keep(asked('document', reason), { number: 'X1' })).toMatchObject({ next: { awaiting: [] } });
      expect(keep(asked('document', reason))).toMatchObject(REFUSED);
    },
  );

  it('a redo that keeps its files is refused if the reviewer asked for both by their fields', () => {
    const items = ['frontFileId', 'backFileId'].map((field) => ({
      step: 'document',
      reasonCode: 'document_glare',
      field,
    }));
    expect(keep(askForAction(submitted(), { items }, LINK_CONTEXT).next)).toMatchObject(REFUSED);
  });

  it.each([
    ['refused if another file was asked for in this step', 'document_glare', REFUSED],
    [
      'accepted if another file was asked for in another step',
      'data_mismatch',
      { next: { awaiting: ['selfie'] } },
    ],
  ])('a redo that keeps its files and changes other answers is %s', (_what, reasonCode, result) => {
    const items = [
      { step: 'document', reasonCode },
      { step: 'selfie', reasonCode: 'selfie_unclear' },
    ];
    const before = askForAction(submitted(), { items }, LINK_CONTEXT).next;
    expect(keep(before, { number: 'X1' })).toMatchObject(result);
  });

  it('a redo with an equal file for the front has all its files marked if no other answer changes', () => {
    const front = again('document', 'document_front');
    const before = asked('document', 'data_mismatch');
    const insisted = receiveFile(receiveFile(before, front).next, front).next;
    const marked = keep(insisted, { frontFileId: front.id })?.next.files.filter(({ isUnchanged }) => isUnchanged);
    expect(marked?.map(({ id }) => id)).toEqual(['document_back', front.id]);
  });

  it('a redo that keeps its files is not refused again after an upload in the step was', () => {
    const front = again('document', 'document_front');
    const insisted = receiveFile(receiveFile(asked('document', 'document_glare'), front).next, front).next;
    expect(keep(insisted, { frontFileId: front.id })).toMatchObject({ next: { awaiting: [] } });
  });

  it('a redo that keeps its files is not refused when a redone step is corrected back', () => {
    const redone = keep(asked('document', 'data_mismatch'), { number: 'X1' });
    expect(redone && keep(redone.next)).toMatchObject({ event: { type: 'verification.step_completed' } });
  });

  it('a redo of a step without files is accepted', () => {
    const before = asked('person', 'data_mismatch');
    const same = { step: 'person', input: GOOD_ANSWERS.kyc.person };
    expect(completeStep(before, same, CONTEXT)).toMatchObject({ next: { awaiting: [] } });
  });
});

it('the next request of a reviewer starts again: no mark, no refusal remembered', () => {
  const first = completeStep(
    asked('selfie', 'selfie_unclear'),
    { step: 'selfie', input: { fileId: 'selfie' } },
    CONTEXT,
  );
  const kept = first && completing(first.next, 'selfie', { fileId: 'selfie' });
  const resubmitted = submit(kept as Verification, NOW).next;
  expect(resubmitted.files.some(({ isUnchanged }) => isUnchanged)).toBe(true);
  const items = [{ step: 'selfie', reasonCode: 'selfie_unclear' }];
  const next = askForAction(resubmitted, { items }, LINK_CONTEXT).next;
  expect(next.files.some(({ isUnchanged }) => isUnchanged)).toBe(false);
  expect(receiveFile(next, again('selfie', 'selfie'))).toMatchObject(REFUSED);
});
