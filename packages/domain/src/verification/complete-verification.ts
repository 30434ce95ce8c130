import { z } from 'zod';
import type { FlowAsks } from '../fields/conditions.ts';
import { parseInput } from '../input/parse.ts';
import type { ReadFlowRules } from '../subscription/flow-rules.ts';
import { answerScreen, type ScreenAnswers } from './answer-screen.ts';
import type { BasePorts } from './base-ports.ts';
import type { ChangeVerification } from './change-verification.ts';
import { type AnsweredStep, completeSteps } from './complete-steps.ts';
import { findWithRules } from './find-with-rules.ts';
import { fromRecord } from './from-record.ts';
import type { MoveContext } from './open-step.ts';
import type { DocumentReadings } from './readings/document-readings.ts';
import { type DraftPart, saveDraft } from './save-draft.ts';
import { createSubjectLinks, type SubjectAccess } from './subject-access.ts';
import { createSubjectFiles, type SubjectFiles } from './subject-files.ts';
import { completeStep, submit } from './subject-moves.ts';
import type { QuietTransition, Transition } from './transition.ts';
import type { Verification } from './verification.ts';
import { visiblePart } from './visible-part.ts';

/**
 * The operations of a subject. All but `open` take the access that `open` returned, and throw `LINK_INVALID` or
 * `LINK_EXPIRED` once the link was renewed or has expired. Moves that the status does not allow throw
 * `ILLEGAL_TRANSITION`. When the subject has nothing left to do, `open` and `read` work after the link expired too.
 *
 * Concurrency: of several devices of one subject, all keep what they saved; a move that lost a race is decided again.
 */
export interface CompleteVerification extends SubjectFiles {
  /** Checks the last part of a `verificationUrl`, `{id}.{token}`. Changes nothing. @throws `LINK_INVALID`, `LINK_EXPIRED` */
  open(reference: string): Promise<{ access: SubjectAccess; verification: Verification }>;
  /** Returns the current state. */
  read(access: SubjectAccess): Promise<Verification>;
  /** Returns the current `verificationUrl`, to continue on another device. */
  linkOf(access: SubjectAccess): Promise<string>;
  /**
   * Saves part of the answers of an open step as a draft. Issues in other fields are ignored. The draft ends when the step
   * is completed; clients never read it.
   * @throws CountersignError `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS`, `FILE_USED_ELSEWHERE`; nothing is saved then
   */
  saveDraft(access: SubjectAccess, part: DraftPart): Promise<Verification>;
  /** Returns what the client asks its subjects for now. */
  asksOf(verification: Pick<Verification, 'clientId'>): Promise<FlowAsks>;
  /**
   * Answers a screen: one read and one commit, also when it completes steps. All parts are checked, and their issues are reported
   * together in the screen's order. The steps that end on the screen are completed together, each with an event and a
   * version of its own.
   * @returns `screenToCorrect`: the slug of another screen that is missing or wrong, or null. This screen was saved as a
   * draft then, and no step is completed
   * @throws `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS` with issues of this screen, and the errors about files of `completeStep`.
   * Nothing is completed then; of several parts, those that are right are saved as drafts
   * @example
   * const { verification, screenToCorrect } = await countersign.subject.answerScreen(access, {
   *   screen: 'details',
   *   input: { number: 'L01X00T47', expiresOn: '2031-08-01', lastName: 'Lovelace', firstName: 'Ada', ... },
   * });
   */
  answerScreen(
    access: SubjectAccess,
    answers: ScreenAnswers,
  ): Promise<{ verification: Verification; screenToCorrect: string | null }>;
  /**
   * Completes several open steps in one commit: each has an event and a version of its own, in the given order. All are checked
   * first; if one is wrong, none is completed.
   * @throws CountersignError as `completeStep`; `INVALID_PARAMETERS` has the issues of all steps in their order
   * @example
   * const { version } = await countersign.subject.completeSteps(access, [
   *   { step: 'document', input: document },
   *   { step: 'person', input: person },
   * ]);
   */
  completeSteps(access: SubjectAccess, steps: readonly AnsweredStep[]): Promise<Verification>;
  /**
   * Completes an open step. Answers equal to the current ones change nothing: same version, no event.
   * @throws CountersignError `STEP_OUT_OF_TURN`, `INVALID_PARAMETERS`; `FILE_USED_ELSEWHERE` if two places name the same content; once
   * `FILE_UNCHANGED` if a redo keeps the files that the reviewer asked to replace
   */
  completeStep(access: SubjectAccess, step: string, input: unknown): Promise<Verification>;
  /**
   * Submits the verification. Deletes files that no current or replaced answer names, unless a hold keeps them.
   * @throws CountersignError `STEPS_INCOMPLETE`
   */
  submit(access: SubjectAccess): Promise<Verification>;
}

const FIELDS_MAX = 50;
const STEPS_MAX = 20;

const screenSchema: z.ZodType<ScreenAnswers> = z.strictObject({ screen: z.string(), input: z.unknown() });

const stepsSchema: z.ZodType<readonly AnsweredStep[]> = z
  .array(z.strictObject({ step: z.string(), input: z.unknown() }))
  .min(1)
  .max(STEPS_MAX);

const draftSchema: z.ZodType<DraftPart> = z.strictObject({
  step: z.string(),
  fields: z.array(z.string()).min(1).max(FIELDS_MAX),
  input: z.unknown(),
});

/** Decides a move by the rules of the verification's client. */
type Decide = (
  verification: Verification,
  context: MoveContext,
) => Transition | readonly Transition[] | QuietTransition | null;

export function createCompleteVerification(
  ports: Pick<BasePorts, 'clock' | 'evidence' | 'flows' | 'ids' | 'links' | 'verifications'> & {
    change: ChangeVerification;
    documents: Pick<DocumentReadings, 'readUpload'>;
    readFlowRules: ReadFlowRules;
  },
): CompleteVerification {
  const { change, flows, links, readFlowRules } = ports;
  const subjectLinks = createSubjectLinks(ports);

  const bySubject = (access: SubjectAccess) => ({
    find: () => subjectLinks.forWriting(access),
    actor: { kind: 'subject', id: null } as const,
  });

  /** Makes a move whose rules depend on the client's settings. */
  function move(access: SubjectAccess, decide: Decide): Promise<Verification> {
    const { find, actor } = bySubject(access);
    const found = findWithRules(find, readFlowRules);
    return change({
      find: found.find,
      actor,
      decide: (current, now) => decide(current, { now, ...found.rules() }),
    });
  }

  return {
    ...createSubjectFiles({ ...ports, subjectLinks }),

    async open(reference) {
      const record = await subjectLinks.open(reference);
      const access = { verificationId: record.id, linkVersion: record.linkVersion };
      return { access, verification: visiblePart(fromRecord(record, flows)) };
    },

    read: async (access) => visiblePart(fromRecord(await subjectLinks.forReading(access), flows)),

    async linkOf(access) {
      const { id, linkVersion } = await subjectLinks.forWriting(access);
      return links.url(id, linkVersion);
    },

    asksOf: async ({ clientId }) => (await readFlowRules(clientId)).asks,

    async saveDraft(access, input) {
      const part = parseInput(draftSchema, input);
      return move(access, (current, context) => saveDraft(current, part, context));
    },

    async answerScreen(access, answers) {
      const given = parseInput(screenSchema, answers);
      let screenToCorrect: string | null = null;
      const verification = await move(access, (current, context) => {
        const answered = answerScreen(current, given, context);
        screenToCorrect = answered.screenToCorrect;
        return answered.transition;
      });
      return { verification, screenToCorrect };
    },

    completeStep: (access, step, input) =>
      move(access, (current, context) => completeStep(current, { step, input }, context)),

    async completeSteps(access, steps) {
      const answered = parseInput(stepsSchema, steps);
      return move(access, (current, context) => completeSteps(current, answered, context));
    },

    submit: (access) => change({ ...bySubject(access), decide: submit }),
  };
}
