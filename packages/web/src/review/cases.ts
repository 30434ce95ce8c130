import { openForReview, type ReviewedVerification, readFileForReview } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { fileAnswer } from '../site/file-answer.ts';
import { redirectTo, type StaffEnv } from '../staff/area.tsx';
import { namesOf } from '../staff/users.tsx';
import { answerCasePage } from './case-page.tsx';
import { type CaseView, DONE } from './case-view.ts';
import { casePath } from './paths.ts';

/** The page of a case, as it is now. */
export const casePage: Handler<StaffEnv, '/:id'> = async (context) => {
  const reviewCase = await context.get('as').run(openForReview, { verificationId: context.req.param('id') });
  const done = DONE.find((name) => name === context.req.query('done')) ?? null;
  return answerCasePage(context, { ...(await viewOf(context, reviewCase)), done });
};

export const toCase: Handler<StaffEnv, '/:id'> = (context) =>
  redirectTo(context, casePath(context.req.param('id')));

/** A case without anything that was typed or done. */
export async function viewOf(context: Context<StaffEnv>, reviewCase: ReviewedVerification): Promise<CaseView> {
  const { signIn, clock } = context.get('site').options;
  const page = context.get('page');
  const { verification, events } = reviewCase;
  const claimant = 'claim' in verification ? (verification.claim?.reviewerId ?? null) : null;
  const authors = verification.internalNotes.map(({ reviewerId }) => reviewerId);
  const names = await namesOf([...events.map(({ actor }) => actor.id), ...authors, claimant], signIn, page.t);
  const reviewer = context.get('user');
  return { page, reviewCase, names, reviewer, now: clock.now(), unsent: null, conflict: null, done: null };
}

/** A file of the case, and of no other. */
export const caseFile: Handler<StaffEnv, '/:id/files/:fileId'> = async (context) => {
  const { id: verificationId, fileId } = context.req.param();
  return fileAnswer(await context.get('as').run(readFileForReview, { verificationId, fileId }));
};
