import type { JsonObject } from '@countersign/domain';
import { changeAppearance, getOwnAppearance, getOwnClient, removeLogo } from '@countersign/domain/actions';
import {
  type AppearanceInput,
  acceptedDetails,
  type Client,
  type ClientAppearance,
} from '@countersign/domain/clients';
import { type Context, Hono } from 'hono';
import { type ActionPage, actionPages } from '../../actions/action-page.tsx';
import type { FormValues } from '../../forms/form-values.ts';
import { Notice } from '../../parts/blocks.tsx';
import { previewColourPath } from '../../site/appearance.ts';
import { AppearanceName } from '../../site/appearance-parts.tsx';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/area.tsx';
import { APPEARANCE_PATH, SETTINGS_PATH } from '../paths.ts';
import { AppearancePreview, type PreviewedAppearance } from './appearance-preview.tsx';
import { ColourField, colourIn } from './colour-field.tsx';
import {
  type LogoResult,
  logoResultIn,
  PREVIEW,
  standardColour,
  storedDetails,
  toUnsavedDetails,
  typedDetails,
  unsavedDetails,
} from './details-form.ts';
import { LogoCard } from './logo-form.tsx';
import { mountLogoPage } from './logo-page.tsx';

/** A client and what it has set of its appearance. */
interface OwnAppearance {
  readonly client: Client;
  readonly appearance: ClientAppearance;
  /** What another form did to the logo, while details stayed as they were typed. */
  readonly logoResult: LogoResult | null;
}

/** The pages on which owners change how their client appears to its subjects. */
export function appearanceRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  const mount = actionPages(routes, site);
  mount(changePage(site));
  mount(removePage(site));
  mountLogoPage(routes, site);
  return routes;
}

/** The page of the details. A picker without a colour shows the colour that pages then have. */
function changePage(site: Site): ActionPage<AppearanceInput, ClientAppearance, OwnAppearance> {
  const standard = standardColour(site);
  return {
    action: changeAppearance,
    path: '/',
    back: { path: SETTINGS_PATH, label: 'dashboard:nav.settings' },
    load: ownAppearance,
    intro: ({ logoResult }, { t }) =>
      logoResult === null ? null : (
        <Notice tone="good" role="status">
          {t(`dashboard:appearance.beside.${logoResult}`)}
        </Notice>
      ),
    controls: { colour: (props) => <ColourField {...props} standard={standard} /> },
    complete: ({ colour: _, ...typed }, values): JsonObject => {
      const colour = colourIn(values, standard);
      return colour === '' ? typed : { ...typed, colour };
    },
    initial: ({ appearance }) => storedDetails(appearance),
    buttons: ({ t }) => (
      <button type="submit" class="secondary" name={PREVIEW} value="true">
        {t('dashboard:appearance.showPreview')}
      </button>
    ),
    isPreview: (values) => values.raw(PREVIEW) !== '',
    styles: ['appearance.css'],
    sheets: (subject, values) => [previewColourPath(previewed(subject, values, standard).colour)],
    below: (subject, values, page) => (
      <>
        <LogoCard page={page} client={subject.client} logo={subject.appearance.logo} />
        <AppearancePreview page={page} appearance={previewed(subject, values, standard)} />
      </>
    ),
    done: () => `${SETTINGS_PATH}?done=face`,
  };
}

/** The page that removes the logo. Its button stands beside the details, which stay as they were typed. */
function removePage(site: Site): ActionPage<object, ClientAppearance, OwnAppearance> {
  return {
    action: removeLogo,
    path: '/logo/remove',
    back: { path: APPEARANCE_PATH, label: 'dashboard:settings.appearance' },
    load: ownAppearance,
    about: ({ client, appearance: { logo } }, page) => (
      <AppearanceName page={page} appearance={{ clientId: client.id, name: client.name, logo }} />
    ),
    isDangerous: true,
    done: (appearance, context, _, values) => {
      const details = unsavedDetails(values, appearance, standardColour(site));
      const next = details && toUnsavedDetails(context, site, details, 'logoRemoved');
      return next ?? `${SETTINGS_PATH}?done=logoRemoved`;
    },
  };
}

async function ownAppearance(context: Context<StaffEnv>): Promise<OwnAppearance> {
  const { run } = context.get('as');
  const [{ client }, appearance] = await Promise.all([run(getOwnClient, {}), run(getOwnAppearance, {})]);
  return { client, appearance, logoResult: logoResultIn(context) };
}

/** The appearance that the form would make. A field that would be refused is left out. */
function previewed(
  { client, appearance }: OwnAppearance,
  values: FormValues,
  standard: string,
): PreviewedAppearance {
  const { displayName, ...details } = acceptedDetails(typedDetails(values, standard));
  return { ...details, clientId: client.id, name: displayName ?? client.name, logo: appearance.logo };
}
