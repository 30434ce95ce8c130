import type { OwnProvider } from '@countersign/domain/actions';
import { isConfirmed } from '@countersign/domain/staff';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import { fieldId } from '../forms/form-state.ts';
import { Result } from '../parts/page-parts.tsx';
import type { Page, WebEnv } from '../site/page.ts';
import { redirectTo } from '../staff/area.tsx';
import { visitorOf } from '../staff/gate.ts';
import {
  type AccountForm,
  type AccountSite,
  CONFIRM_PATH,
  leave,
  PROVIDERS_PATH,
  refused,
  SECURITY_PATH,
  SIGN_IN_PATH,
  sessionOr,
  TO_SECURITY,
  withReturn,
} from './account-form.tsx';
import { ProviderLinks } from './sign-on.tsx';

type OwnProviders = readonly OwnProvider[];

const FIELD = 'provider';

async function loadOwn(context: Context<WebEnv>, site: AccountSite): Promise<OwnProviders | Response> {
  const session = await sessionOr(context, site, PROVIDERS_PATH);
  if (session instanceof Response) return session;
  if (site.accounts.singleSignOn === undefined) return redirectTo(context, SECURITY_PATH);
  if (!isConfirmed(session, site.options.clock.now())) {
    return redirectTo(context, withReturn(CONFIRM_PATH, PROVIDERS_PATH));
  }
  const { as } = await visitorOf(context, site);
  return as.account(site.accounts).ownProviders();
}

/** Lists the identity providers, with links that connect one. Its forms disconnect one. */
export const providers: AccountForm<OwnProviders> = {
  title: (_, { t }) => t('account:providers.title'),
  load: loadOwn,
  isInArea: true,
  back: TO_SECURITY,
  intro: ({ context, page, subject }) => (
    <>
      <Result context={context} texts="account:providers.done" />
      <p class="lead">{page.t('account:providers.what')}</p>
      <div id={fieldId(FIELD)} tabindex={-1}>
        {subject.map((provider) => (
          <ProviderItem provider={provider} page={page} />
        ))}
      </div>
    </>
  ),
  refusedAt: PROVIDERS_PATH,
  fields: [],
  hidesForm: () => true,
  submit: () => ({ label: 'account:providers.back' }),
  refused: [FIELD, 'account:providers.notConnected'],
  async send({ context, page: { t }, account, visitor, values }) {
    const outcome = await account.disconnectProvider(visitor, values.text(FIELD));
    switch (outcome.outcome) {
      case 'disconnected':
        return leave(context, `${SIGN_IN_PATH}?done=disconnected`, outcome);
      case 'last_way':
        return refused(FIELD, t('account:providers.lastWay'));
      default:
        return outcome;
    }
  },
};

const ProviderItem: FC<{ provider: OwnProvider; page: Page }> = ({ provider, page }) => {
  const { id, name, isConnected } = provider;
  return (
    <section class="card">
      <h2>{name}</h2>
      <p>{page.t(isConnected ? 'account:providers.isConnected' : 'account:providers.isNotConnected')}</p>
      {isConnected ? (
        <form method="post" action={page.href(`${PROVIDERS_PATH}/disconnect`)}>
          <input type="hidden" name={FIELD} value={id} />
          <button type="submit" class="danger">
            {page.t('account:providers.disconnect', { provider: name })}
          </button>
        </form>
      ) : (
        <ProviderLinks
          providers={[provider]}
          label="account:providers.connect"
          query={{ connect: '1' }}
          returnTo={null}
          page={page}
        />
      )}
    </section>
  );
};
