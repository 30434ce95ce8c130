import { rotateApiKey } from '@countersign/domain/actions';
import type { AttentionItem } from '@countersign/domain/clients';
import type { Context } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { StateBadge, type StateName } from '../parts/badge.tsx';
import { Card } from '../parts/blocks.tsx';
import { type Link, Moment } from '../parts/page-parts.tsx';
import { figure } from '../site/formats.ts';
import type { StaffEnv } from '../staff/area.tsx';
import { countInWords } from '../staff/list-page.tsx';
import { DATA_COPIES_PATH, KEYS_PATH, keyPath, webhookPath } from './paths.ts';

/** Lists what the user should look at, each with the page where it can be dealt with. Shows nothing if there is nothing. */
export const Attention: FC<{ context: Context<StaffEnv>; items: readonly AttentionItem[] }> = (props) => {
  const { context, items } = props;
  const page = context.get('page');
  const { t, href } = page;
  if (items.length === 0) return null;
  return (
    <Card id="attention" title={t('dashboard:attention.title')} class="rows">
      <ul>
        {items.map((item) => {
          const { badge, name, text, link } = itemInWords(context, item);
          return (
            <li>
              <StateBadge of={badge} page={page} />
              <p>
                {name === null ? null : (
                  <strong>
                    <bdi>{name}</bdi>
                  </strong>
                )}{' '}
                {text}
              </p>
              <a href={href(link.path)} aria-label={name === null ? undefined : `${t(link.label)}: ${name}`}>
                {t(link.label)}
              </a>
            </li>
          );
        })}
      </ul>
    </Card>
  );
};

interface ItemInWords {
  readonly badge: StateName;
  /** What the user called it. */
  readonly name: string | null;
  readonly text: Child;
  readonly link: Link;
}

function itemInWords(context: Context<StaffEnv>, item: AttentionItem): ItemInWords {
  const page = context.get('page');
  const { t, language } = page;
  switch (item.kind) {
    case 'endpoint_failing':
      return {
        badge: item.isPaused ? 'endpoint.paused' : 'endpoint.failing',
        name: item.name || item.url,
        text: (
          <>
            {item.refused.count === 0
              ? t('dashboard:attention.failingSince')
              : countInWords('dashboard:attention.undelivered', item.refused, page)}{' '}
            <Moment at={item.since} page={page} />
          </>
        ),
        link: { path: webhookPath(item.endpointId), label: 'dashboard:attention.toEndpoint' },
      };
    case 'key_expiring': {
      const days = item.expiresInDays;
      return {
        badge: 'attention.expiring',
        name: item.name || item.display,
        text: t('dashboard:attention.keyExpires', { count: days, number: figure(days, language) }),
        link:
          context.get('as').may(rotateApiKey) === 'no'
            ? TO_KEYS
            : { path: keyPath(item.keyId, 'rotate'), label: 'dashboard:attention.toRotate' },
      };
    }
    case 'key_unused':
      return {
        badge: 'attention.unused',
        name: item.name || item.display,
        text: (
          <>
            {t('dashboard:attention.keyUnused')} <Moment at={item.createdAt} page={page} />
          </>
        ),
        link: TO_KEYS,
      };
    case 'copies_requested':
      return {
        badge: 'attention.open',
        name: null,
        text: (
          <>
            {countInWords('dashboard:attention.copies', item.count, page)}
            {item.since === null ? null : (
              <>
                {', '}
                {t('dashboard:attention.oldest')} <Moment at={item.since} page={page} />
              </>
            )}
          </>
        ),
        link: { path: DATA_COPIES_PATH, label: 'dashboard:attention.toCopies' },
      };
    default:
      return item satisfies never;
  }
}

const TO_KEYS: Link = { path: KEYS_PATH, label: 'dashboard:attention.toKeys' };
