import type { ReviewSummary, Verification } from '@countersign/domain';
import { handOverVerification, previewDecision } from '@countersign/domain/actions';
import type { FC } from 'hono/jsx';
import type { ActionPage } from '../actions/action-page.tsx';
import { Field, type FieldProps } from '../forms/draw-field.tsx';
import { referenceInWords } from '../staff/data-state.tsx';
import { HAND_OVER, reviewPath } from './paths.ts';
import { FIELD } from './typed.ts';

interface HandOverInput {
  readonly verificationId: string;
  readonly version: number;
  readonly email: string;
  readonly internalNote?: string | undefined;
}

/** The page that hands a case over to a colleague. Like every form of a case it carries the version that the reviewer saw. */
export const handOverPage: ActionPage<HandOverInput, Verification, ReviewSummary> = {
  action: handOverVerification,
  path: `/:verificationId/${HAND_OVER}`,
  back: ({ id }) => ({ path: reviewPath(id), label: 'review:case.backToCase' }),
  load: (context, { verificationId = '' }) => context.get('as').run(previewDecision, { verificationId }),
  about: (summary, page) => (
    <span class="as-typed">
      <bdi>{referenceInWords(summary, page)}</bdi>
    </span>
  ),
  closed: ({ status }, context) =>
    status === 'submitted' ? null : context.get('page').t('review:case.notDecidable'),
  controls: { email: WithVersion },
  complete: (typed, values) => ({ ...typed, version: Number(values.text(FIELD.version)) }),
  done: ({ id }) => `${reviewPath(id)}?done=handedOver`,
};

/** The field, and the version beside it. */
function WithVersion({ subject, ...field }: FieldProps & { subject: ReviewSummary }): ReturnType<FC> {
  return (
    <>
      <input type="hidden" name={FIELD.version} value={String(subject.version)} />
      <Field {...field} />
    </>
  );
}
