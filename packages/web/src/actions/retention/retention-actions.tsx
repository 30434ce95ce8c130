import {
  endVerificationRelationship,
  eraseVerificationData,
  holdVerification,
  releaseVerificationHold,
} from '@countersign/domain/actions';
import type { DataState, HoldInput } from '@countersign/domain/retention';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { VerificationBadge } from '../../parts/badge.tsx';
import { Notice } from '../../parts/blocks.tsx';
import { momentInWords } from '../../site/formats.ts';
import type { MessageKey } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import type { StaffEnv } from '../../staff/area.tsx';
import { referenceInWords } from '../../staff/data-state.tsx';
import type { ActionPage } from '../action-page.tsx';
import type { PathOf, RetainedVerification } from './retention-section.tsx';

/** The pages of verifications in an area, below which the pages of retention are mounted. */
export interface RetentionArea {
  readonly pathOf: PathOf;
  /** The label of the link back. */
  readonly back: MessageKey;
  /** @throws CountersignError `VERIFICATION_NOT_FOUND` */
  readonly load: (context: Context<StaffEnv>, verificationId: string) => Promise<RetainedVerification>;
}

interface OnVerification {
  readonly verificationId: string;
}

type RetentionActionPage<I = object> = ActionPage<OnVerification & I, DataState, RetainedVerification>;

/** Mounts the pages on which a verification is put on hold, released and erased, and its relationship ended. */
export function mountRetentionPages(
  mount: <I>(page: RetentionActionPage<I>) => void,
  { pathOf, back, load }: RetentionArea,
): void {
  const shared: Pick<RetentionActionPage, 'back' | 'load' | 'about'> = {
    back: ({ id }) => ({ path: pathOf(id), label: back }),
    load: (context, { verificationId = '' }) => load(context, verificationId),
    about: aboutVerification,
  };
  const resultAt = (context: Context<StaffEnv>, done: Done): string =>
    `${pathOf(context.req.param('verificationId') ?? '')}?done=${done}`;

  mount<HoldInput>({
    ...shared,
    action: holdVerification,
    path: '/:verificationId/hold',
    closed: ({ retention }, context) => holdClosedUnless(retention.mayHold, retention, context),
    initial: ({ retention: { data, holdReason } }) => ({
      ...(holdReason !== null && { reason: holdReason }),
      ...(data.state === 'held' && data.until !== null && { until: data.until.toISOString() }),
    }),
    done: (_, context) => resultAt(context, 'held'),
  });

  mount({
    ...shared,
    action: releaseVerificationHold,
    path: '/:verificationId/release-hold',
    closed: ({ retention }, context) => holdClosedUnless(retention.mayReleaseHold, retention, context),
    done: (_, context) => resultAt(context, 'holdReleased'),
  });

  mount<{ readonly endedAt?: string | undefined }>({
    ...shared,
    action: endVerificationRelationship,
    path: '/:verificationId/relationship-end',
    closed: ({ retention }, context) => closedUnless(retention.mayEndRelationship, context),
    initial: ({ retention: { relationshipEndedAt: at } }): { endedAt?: string } =>
      at === null ? {} : { endedAt: at.toISOString() },
    done: (_, context, { endedAt }) =>
      resultAt(context, endedAt === undefined ? 'relationshipGoesOn' : 'relationshipEnded'),
  });

  mount<{ readonly withdraw?: boolean | undefined }>({
    ...shared,
    action: eraseVerificationData,
    path: '/:verificationId/erase',
    closed: ({ retention }, context) => closedUnless(retention.mayErase, context),
    intro: whatErasureDoes,
    // The page says that an open verification is withdrawn first.
    shows: [],
    complete: async (typed, _values, subject) =>
      (await subject()).retention.erasureWithdraws ? { ...typed, withdraw: true } : typed,
    isDangerous: true,
    done: ({ state }, context) => resultAt(context, state === 'erased' ? 'erased' : 'erasureRequested'),
  });
}

type Done = 'held' | 'holdReleased' | 'relationshipEnded' | 'relationshipGoesOn' | 'erased' | 'erasureRequested';

function closedUnless(isPossible: boolean, context: Context<StaffEnv>): string | null {
  return isPossible ? null : context.get('page').t('actions:outcomes.ILLEGAL_TRANSITION');
}

/** Says who may change a hold that the team may not. */
function holdClosedUnless(
  isPossible: boolean,
  { holdSetBy }: RetainedVerification['retention'],
  context: Context<StaffEnv>,
): string | null {
  const isOfOperator = holdSetBy !== null && holdSetBy !== 'team_member';
  if (!isPossible && isOfOperator) return context.get('page').t('actions:outcomes.HELD_BY_OPERATOR');
  return closedUnless(isPossible, context);
}

/** Names a verification with its type and status. */
export function aboutVerification(verification: RetainedVerification, page: Page): Child {
  const { type } = verification;
  return (
    <>
      <strong class="as-typed">
        <bdi>{referenceInWords(verification, page)}</bdi>
      </strong>
      , {page.t(`wording:type.${type}`)} <VerificationBadge of={verification} page={page} />
    </>
  );
}

/** Says when the data is erased, what goes and what remains. */
function whatErasureDoes({ retention }: RetainedVerification, page: Page): Child {
  const { t } = page;
  return (
    <>
      <Notice tone="warn">
        {whenErased(retention, page)} <strong>{t('staff:erasure.final')}</strong>
      </Notice>
      <h2>{t('staff:erasure.goes.title')}</h2>
      <ul>
        {(['data', 'reference', 'review', 'webhooks'] as const).map((item) => (
          <li>{t(`staff:erasure.goes.${item}`)}</li>
        ))}
      </ul>
      <h2>{t('staff:erasure.remains.title')}</h2>
      <ul>
        {(['facts', 'history', 'receipt'] as const).map((item) => (
          <li>{t(`staff:erasure.remains.${item}`)}</li>
        ))}
      </ul>
    </>
  );
}

function whenErased({ erasureWithdraws, data, legalEnd }: RetainedVerification['retention'], page: Page): string {
  const { t, language } = page;
  if (erasureWithdraws) return t('staff:erasure.when.open');
  if (data.state === 'held') return t('staff:erasure.when.held');
  if (legalEnd === null) return t('staff:erasure.when.now');
  return t('staff:erasure.when.law', { until: momentInWords(legalEnd, language) });
}
