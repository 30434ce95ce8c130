import type { Status, SystemReason } from '@countersign/domain';
import type { Child, FC } from 'hono/jsx';
import type { MessageKey } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { Icon, type IconName } from './icon.tsx';

/** What a state means for the reader; `idle` asks for nothing. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'idle';

interface State {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: MessageKey;
}

/** A state that a badge shows: the kind of thing, and its state. */
export type StateName =
  | `verification.${Status | SystemReason}`
  | `key.${'active' | 'expired' | 'revoked'}`
  | `endpoint.${'active' | 'failing' | 'paused' | 'disabled'}`
  | `delivery.${'delivered' | 'waiting' | 'failed'}`
  | `user.${'joined' | 'invited' | 'linkOver'}`
  | `audit.${'allowed' | 'refused' | 'failed'}`
  | `subscription.${'active' | 'canceled' | 'ended' | 'not_started' | 'none'}`
  | `factor.${'on' | 'off'}`
  | `attention.${'expiring' | 'unused' | 'open'}`
  | 'step.done';

/** Word, colour and icon of every state that a badge shows, in all areas. */
export const STATES: Readonly<Record<StateName, State>> = {
  'verification.pending': { tone: 'idle', icon: 'clock', word: 'wording:statusShort.pending' },
  'verification.submitted': { tone: 'info', icon: 'eye', word: 'wording:statusShort.submitted' },
  'verification.action_needed': { tone: 'warn', icon: 'undo-2', word: 'wording:statusShort.action_needed' },
  'verification.approved': { tone: 'good', icon: 'check', word: 'wording:statusShort.approved' },
  'verification.rejected': { tone: 'bad', icon: 'x', word: 'wording:statusShort.rejected' },
  'verification.withdrawn': { tone: 'idle', icon: 'ban', word: 'wording:statusShort.withdrawn' },
  'verification.expired': { tone: 'idle', icon: 'clock', word: 'wording:statusShort.expired' },
  'key.active': { tone: 'good', icon: 'check', word: 'dashboard:keyState.active' },
  'key.expired': { tone: 'warn', icon: 'clock', word: 'dashboard:keyState.expired' },
  'key.revoked': { tone: 'idle', icon: 'ban', word: 'dashboard:keyState.revoked' },
  'endpoint.active': { tone: 'good', icon: 'check', word: 'dashboard:webhooks.states.active' },
  'endpoint.failing': { tone: 'warn', icon: 'triangle-alert', word: 'dashboard:webhooks.states.failing' },
  'endpoint.paused': { tone: 'warn', icon: 'clock', word: 'dashboard:webhooks.states.paused' },
  'endpoint.disabled': { tone: 'idle', icon: 'ban', word: 'dashboard:webhooks.states.disabled' },
  'delivery.delivered': { tone: 'good', icon: 'check', word: 'dashboard:webhooks.log.states.delivered' },
  'delivery.waiting': { tone: 'info', icon: 'clock', word: 'dashboard:webhooks.log.states.waiting' },
  'delivery.failed': { tone: 'bad', icon: 'x', word: 'dashboard:webhooks.log.states.failed' },
  'user.joined': { tone: 'good', icon: 'check', word: 'staff:user.joined' },
  'user.invited': { tone: 'info', icon: 'mail', word: 'staff:user.invited' },
  'user.linkOver': { tone: 'warn', icon: 'clock', word: 'staff:user.linkOver' },
  'audit.allowed': { tone: 'good', icon: 'check', word: 'admin:audit.outcomes.allowed' },
  'audit.refused': { tone: 'warn', icon: 'ban', word: 'admin:audit.outcomes.refused' },
  'audit.failed': { tone: 'bad', icon: 'x', word: 'admin:audit.outcomes.failed' },
  'subscription.active': { tone: 'good', icon: 'check', word: 'admin:subscription.active' },
  'subscription.canceled': { tone: 'bad', icon: 'ban', word: 'admin:subscription.canceled' },
  'subscription.ended': { tone: 'warn', icon: 'clock', word: 'admin:subscription.ended' },
  'subscription.not_started': { tone: 'info', icon: 'clock', word: 'admin:subscription.not_started' },
  'subscription.none': { tone: 'warn', icon: 'ban', word: 'admin:subscription.none' },
  'factor.on': { tone: 'good', icon: 'check', word: 'staff:user.factor.on' },
  'factor.off': { tone: 'idle', icon: 'ban', word: 'staff:user.factor.off' },
  'attention.expiring': { tone: 'warn', icon: 'clock', word: 'dashboard:attention.expiring' },
  'attention.unused': { tone: 'idle', icon: 'key', word: 'dashboard:attention.unused' },
  'attention.open': { tone: 'info', icon: 'inbox', word: 'dashboard:attention.open' },
  'step.done': { tone: 'good', icon: 'check', word: 'dashboard:home.stepDone' },
};

/**
 * Shows a state as a badge. The word says it; colour and icon only help.
 * @example
 * <StateBadge of={`verification.${status}`} page={page} />
 */
export const StateBadge: FC<{ of: StateName; page: Page }> = ({ of, page }) => {
  const { tone, icon, word } = STATES[of];
  return (
    <Badge tone={tone} icon={icon} page={page}>
      {page.t(word)}
    </Badge>
  );
};

/** Shows the state of a verification: its status, or how it ended without a review. */
export const VerificationBadge: FC<{
  of: { readonly status: Status; readonly endedBy: SystemReason | null };
  page: Page;
}> = ({ of: { status, endedBy }, page }) => <StateBadge of={`verification.${endedBy ?? status}`} page={page} />;

/** A badge with words of its own, such as a mark beside a title. */
export const Badge: FC<{ tone: Tone; icon?: IconName; page: Page; children?: Child }> = (props) => {
  const { tone, icon, page, children } = props;
  return (
    <span class={`badge is-${tone}`}>
      {icon === undefined ? null : <Icon page={page} name={icon} />}
      {children}
    </span>
  );
};
