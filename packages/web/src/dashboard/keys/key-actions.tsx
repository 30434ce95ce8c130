import type { ApiKey, IssuedKey, KeyLifetimeDays, ListedKey, NewApiKey } from '@countersign/domain';
import { getApiKey, issueApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '@countersign/domain/actions';
import { type Context, Hono } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { type ActionPage, actionPages, requireAction } from '../../actions/action-page.tsx';
import { answerIssuedKey } from '../../actions/keys/issued-key-page.tsx';
import {
  nameOfKey,
  PermissionsField,
  refusedNetworks,
  SUGGESTED_LIFETIME,
} from '../../actions/keys/key-parts.tsx';
import type { FieldProps } from '../../forms/draw-field.tsx';
import { TextField } from '../../forms/text-fields.tsx';
import { Moment } from '../../parts/page-parts.tsx';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/area.tsx';
import { listPage } from '../../staff/list-page.tsx';
import { KEYS_PATH, keyPath } from '../paths.ts';
import { KeyState, keyList, LastUsed } from './keys-page.tsx';

/** The pages of a client's API keys. */
export function keyRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  const mount = actionPages(routes, site);
  routes.get('/', requireAction(listApiKeys), listPage(keyList));
  mount(create);
  mount(rotate);
  mount(revokeWith(site));
  return routes;
}

const toKeys = { path: KEYS_PATH, label: 'dashboard:nav.keys' } as const;

const IN_DASHBOARD = { list: toKeys, revoke: (keyId: string) => keyPath(keyId, 'revoke') };

/** How many active keys the client has, and how many it can have. */
interface KeyCount {
  readonly active: number;
  readonly limit: number;
}

const create: ActionPage<NewApiKey & { readonly name: string }, IssuedKey, KeyCount> = {
  action: issueApiKey,
  path: '/new',
  back: toKeys,
  load: (context) => context.get('as').run(listApiKeys, {}),
  about: ({ active, limit }, { t }) => t('dashboard:keys.active', { active, limit }),
  initial: () => ({ expiresInDays: SUGGESTED_LIFETIME }),
  closed: ({ active, limit }, context) => (active < limit ? null : noKeyLeft(context)),
  controls: { permissions: PermissionsField },
  findings: refusedNetworks,
  done: (issued, context) => answerIssuedKey(issued, context, IN_DASHBOARD),
};

interface RotateInput {
  readonly keyId: string;
  readonly expiresInDays?: KeyLifetimeDays | undefined;
}

interface KeyToRotate {
  readonly key: ListedKey;
  readonly count: KeyCount;
}

const rotate: ActionPage<RotateInput, IssuedKey & { readonly replaces: ApiKey }, KeyToRotate> = {
  action: rotateApiKey,
  path: '/:keyId/rotate',
  back: toKeys,
  load: async (context, params) => ({
    key: await keyIn(context, params),
    count: await context.get('as').run(listApiKeys, {}),
  }),
  about: ({ key }, page) => aboutKey(key, page),
  initial: () => ({ expiresInDays: SUGGESTED_LIFETIME }),
  closed: ({ key, count: { active, limit } }, context) => {
    if (key.state !== 'active')
      return context.get('page').t('actions:api_keys.rotate.outcomes.API_KEY_NOT_ACTIVE');
    return active < limit ? null : noKeyLeft(context);
  },
  done: (issued, context) => answerIssuedKey(issued, context, IN_DASHBOARD),
};

const revokeWith = ({
  options: { clock },
}: Site): ActionPage<{ readonly keyId: string; readonly name: string }, void, ListedKey> => ({
  action: revokeApiKey,
  path: '/:keyId/revoke',
  back: toKeys,
  load: keyIn,
  about: aboutKey,
  intro: ({ lastUsedAt }, page) => (
    <p>
      {page.t('dashboard:keys.lastUsed')}: <LastUsed at={lastUsedAt} now={clock.now()} page={page} />
    </p>
  ),
  closed: ({ state }, context) =>
    state === 'revoked' ? context.get('page').t('actions:api_keys.revoke.outcomes.API_KEY_REVOKED') : null,
  controls: { name: TypedNameField },
  isDangerous: true,
  done: () => `${KEYS_PATH}?done=revoked`,
});

function keyIn(context: Context<StaffEnv>, { keyId = '' }: Readonly<Record<string, string>>): Promise<ListedKey> {
  return context.get('as').run(getApiKey, { keyId });
}

function aboutKey(key: ListedKey, page: Page): Child {
  return (
    <>
      <strong class="as-typed">
        <bdi>{nameOfKey(key)}</bdi>
      </strong>{' '}
      <code>{key.display}</code> <KeyState apiKey={key} page={page} />{' '}
      {key.revokedAt === null ? null : <Moment at={key.revokedAt} page={page} />}
    </>
  );
}

function noKeyLeft(context: Context<StaffEnv>): string {
  return context.get('page').t('actions:outcomes.API_KEY_LIMIT_REACHED');
}

/** Asks for the name of the key that is revoked, so that no other key is revoked by mistake. */
const TypedNameField: FC<FieldProps & { subject: ListedKey }> = ({ page: { t }, form, texts, name, subject }) => (
  <TextField
    form={form}
    name={name}
    label={texts.label(name)}
    hint={t(subject.name === '' ? 'dashboard:revoke.displayHint' : 'dashboard:revoke.nameHint', {
      name: nameOfKey(subject),
    })}
    autocomplete="off"
  />
);
