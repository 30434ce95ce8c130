import type { FC } from 'hono/jsx';
import type { MessageKey } from '../site/messages.ts';
import type { Page } from '../site/page.ts';

type Keys = readonly (readonly [keys: readonly string[], does: MessageKey])[];

const EVERYWHERE: Keys = [
  [['?'], 'review:keys.help'],
  [['q'], 'review:keys.queue'],
];
const IN_QUEUE: Keys = [
  [['j'], 'review:keys.down'],
  [['k'], 'review:keys.up'],
  [['Enter'], 'review:keys.open'],
];
const IN_CASE: Keys = [
  [['p'], 'review:keys.pictures'],
  [['a'], 'review:keys.approve'],
  [['x'], 'review:keys.reject'],
  [['c'], 'review:keys.ask'],
  [['n'], 'review:keys.note'],
];
const AT_PICTURE: Keys = [
  [['+'], 'review:keys.zoomIn'],
  [['−'], 'review:keys.zoomOut'],
  [['r'], 'review:keys.rotate'],
  [['←', '→', '↑', '↓'], 'review:keys.move'],
  [['0'], 'review:keys.reset'],
];

const GROUPS: readonly (readonly [MessageKey, Keys])[] = [
  ['review:keys.everywhere', EVERYWHERE],
  ['review:keys.inQueue', IN_QUEUE],
  ['review:keys.inCase', IN_CASE],
  ['review:keys.atPicture', AT_PICTURE],
];

/** What the keys do: on a page of its own, and in the dialog that `?` opens. */
export const KeysHelp: FC<{ page: Page; heading: 'h1' | 'h2' }> = ({ page: { t }, heading: Heading }) => (
  <>
    <Heading id="keys-title">{t('review:keys.title')}</Heading>
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
                {names.map((name) => (
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
