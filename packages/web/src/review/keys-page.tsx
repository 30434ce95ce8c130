import type { Context, Handler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { FC } from 'hono/jsx';
import type { MessageKey } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { answerStaffPage, redirectTo, type StaffEnv } from '../staff/area.tsx';
import { KEYS_PATH } from './paths.ts';

const A_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Cookie that stores whether a reviewer switched single-key shortcuts off (WCAG 2.1.4). */
const SHORTCUTS_COOKIE = 'review-shortcuts';

export function hasShortcuts(context: Context): boolean {
  return getCookie(context, SHORTCUTS_COOKIE) !== 'off';
}

/** The page that explains the keys and switches them off and on. */
export const keysPage: Handler<StaffEnv> = (context) => {
  const page = context.get('page');
  const { t, href } = page;
  const on = hasShortcuts(context);
  return answerStaffPage(
    context,
    { title: t('review:keys.title') },
    <div class="narrow-form">
      <KeysHelp page={page} heading="h1" />
      <form method="post" action={href(KEYS_PATH)} class="buttons">
        <p>{t(on ? 'review:keys.on' : 'review:keys.off')}</p>
        <button type="submit" class="secondary">
          {t(on ? 'review:keys.turnOff' : 'review:keys.turnOn')}
        </button>
      </form>
    </div>,
  );
};

export const switchKeys: Handler<StaffEnv> = (context) => {
  const { basePath, secure } = context.get('site');
  setCookie(context, SHORTCUTS_COOKIE, hasShortcuts(context) ? 'off' : 'on', {
    path: `${basePath}/review`,
    maxAge: A_YEAR_SECONDS,
    httpOnly: true,
    sameSite: 'Lax',
    secure,
  });
  return redirectTo(context, KEYS_PATH);
};

/** Shows the key of a button beside its words. Screen readers hear the words only. */
export const Key: FC<{ name: string }> = ({ name }) => (
  <span class="key" aria-hidden="true">
    {name}
  </span>
);

/** The keys, by the page on which they work. */
const GROUPS: readonly (readonly [MessageKey, readonly (readonly [keys: string, does: MessageKey])[]])[] = [
  [
    'review:keys.everywhere',
    [
      ['?', 'review:keys.help'],
      ['q', 'review:keys.queue'],
    ],
  ],
  [
    'review:keys.inQueue',
    [
      ['/', 'review:keys.search'],
      ['j', 'review:keys.down'],
      ['k', 'review:keys.up'],
      ['Enter', 'review:keys.open'],
    ],
  ],
  [
    'review:keys.inCase',
    [
      ['1 … 9', 'review:keys.picture'],
      ['s', 'review:keys.compare'],
      ['w', 'review:keys.warning'],
      ['a', 'review:keys.approve'],
      ['c', 'review:keys.ask'],
      ['x', 'review:keys.reject'],
      ['n', 'review:keys.note'],
      ['Esc', 'review:keys.back'],
      ['p', 'review:keys.pictures'],
    ],
  ],
  [
    'review:keys.atPicture',
    [
      ['+', 'review:keys.zoomIn'],
      ['−', 'review:keys.zoomOut'],
      ['r', 'review:keys.rotate'],
      ['b', 'review:keys.brighten'],
      ['f', 'review:keys.fill'],
      ['0', 'review:keys.reset'],
      ['← → ↑ ↓', 'review:keys.move'],
    ],
  ],
  [
    'review:keys.inForm',
    [
      ['1 … 9', 'review:keys.reason'],
      ['Enter', 'review:keys.send'],
    ],
  ],
];

/** Explains the keys, on a page of its own and in the dialog that `?` opens. */
export const KeysHelp: FC<{ page: Page; heading: 'h1' | 'h2' }> = ({ page: { t }, heading: Heading }) => (
  <>
    <Heading id={Heading === 'h2' ? 'keys-title' : undefined}>{t('review:keys.title')}</Heading>
    <p>{t('review:keys.intro')}</p>
    <table class="keys">
      <thead>
        <tr>
          <th scope="col">{t('review:keys.key')}</th>
          <th scope="col">{t('review:keys.does')}</th>
        </tr>
      </thead>
      {GROUPS.map(([title, keys]) => (
        <tbody>
          <tr>
            <th colspan={2} scope="rowgroup">
              {t(title)}
            </th>
          </tr>
          {keys.map(([names, does]) => (
            <tr>
              <td>
                {names.split(' ').map((name) => (
                  <>
                    <kbd>{name}</kbd>{' '}
                  </>
                ))}
              </td>
              <td>{t(does)}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  </>
);
