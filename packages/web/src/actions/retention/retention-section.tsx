import type { Status, SubjectType, SystemReason } from '@countersign/domain';
import {
  type ActionEntry,
  endVerificationRelationship,
  eraseVerificationData,
  holdVerification,
  releaseVerificationHold,
} from '@countersign/domain/actions';
import type { RetentionView } from '@countersign/domain/retention';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { Card } from '../../parts/blocks.tsx';
import { Facts, Moment } from '../../parts/page-parts.tsx';
import type { MessageKey } from '../../site/messages.ts';
import { type StaffEnv, withAreaQuery } from '../../staff/area.tsx';

/** A verification as far as retention is concerned. */
export interface RetainedVerification {
  readonly id: string;
  readonly type: SubjectType;
  readonly subjectReference: string;
  readonly status: Status;
  readonly endedBy: SystemReason | null;
  readonly retention: RetentionView;
}

/** The pages of retention below the page of a verification. */
export type RetentionPage = 'hold' | 'release-hold' | 'relationship-end' | 'erase';

/** Returns the path of a verification's page, or of one below it. */
export type PathOf = (verificationId: string, page?: RetentionPage) => string;

interface PageLink {
  readonly page: RetentionPage;
  readonly label: MessageKey;
  readonly action: ActionEntry;
  /** Whether the action would change anything now. */
  readonly isPossible: (view: RetentionView) => boolean;
}

const LINKS: readonly PageLink[] = [
  {
    page: 'relationship-end',
    label: 'staff:retention.toRelationshipEnd',
    action: endVerificationRelationship,
    isPossible: ({ mayEndRelationship }) => mayEndRelationship,
  },
  {
    page: 'hold',
    label: 'staff:retention.toHold',
    action: holdVerification,
    isPossible: ({ mayHold }) => mayHold,
  },
  {
    page: 'release-hold',
    label: 'staff:retention.toReleaseHold',
    action: releaseVerificationHold,
    isPossible: ({ mayReleaseHold }) => mayReleaseHold,
  },
  {
    page: 'erase',
    label: 'staff:retention.toErase',
    action: eraseVerificationData,
    isPossible: ({ mayErase }) => mayErase,
  },
];

/**
 * Shows the end of the relationship, the reason of a hold, and links to what the user may change. Null if there is none of it,
 * or if the storage lacks the part `retention`.
 * @param props.withoutErasure where the page offers the erasure elsewhere
 */
export function RetentionSection(props: {
  readonly context: Context<StaffEnv>;
  readonly verification: RetainedVerification;
  readonly pathOf: PathOf;
  readonly withoutErasure?: true;
}): Child {
  const { context, verification, pathOf, withoutErasure } = props;
  const page = context.get('page');
  const { may } = context.get('as');
  const { id, retention } = verification;
  const { relationshipEndedAt, holdReason, holdSetBy } = retention;
  const links = LINKS.filter(
    ({ page: name, action, isPossible }) =>
      isPossible(retention) && may(action) !== 'no' && !(withoutErasure && name === 'erase'),
  );
  const facts: readonly (readonly [label: string, value: Child])[] = [
    ...(relationshipEndedAt === null
      ? []
      : [[page.t('staff:retention.relationshipEnded'), <Moment at={relationshipEndedAt} page={page} />] as const]),
    ...(holdSetBy === null
      ? []
      : [[page.t('staff:retention.holdSetBy'), page.t(`staff:retention.setBy.${holdSetBy}`)] as const]),
    ...(holdReason === null
      ? []
      : [
          [
            page.t('staff:retention.holdReason'),
            <span class="as-typed">
              <bdi>{holdReason}</bdi>
            </span>,
          ] as const,
        ]),
  ];
  if (facts.length + links.length === 0 || !page.parts.has('retention')) return null;
  const buttons = (
    <div class="buttons">
      {links.map(({ page: name, label }) => (
        <a
          href={page.href(withAreaQuery(context, pathOf(id, name)))}
          class={name === 'erase' ? 'button danger' : 'button secondary'}
        >
          {page.t(label)}
        </a>
      ))}
    </div>
  );
  const title = page.t('staff:retention.title');
  if (facts.length === 0) return <Card id="retention" title={title} more={buttons} />;
  return (
    <Card id="retention" title={title}>
      <Facts items={facts} />
      {buttons}
    </Card>
  );
}
