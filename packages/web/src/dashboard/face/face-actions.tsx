import type { JsonObject } from '@countersign/domain';
import { changeFace, getOwnClient, getOwnFace, removeLogo } from '@countersign/domain/actions';
import {
  acceptedDetails,
  type Client,
  type ClientFace,
  type FaceInput,
  faceFields,
} from '@countersign/domain/clients';
import { type Context, Hono } from 'hono';
import { type ActionPage, actionPages } from '../../actions/action-page.tsx';
import type { FormValues } from '../../forms/form-values.ts';
import { colourPath } from '../../site/face.ts';
import { FaceName } from '../../site/face-parts.tsx';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/area.tsx';
import { LinkTo } from '../../staff/page-parts.tsx';
import { FACE_PATH, HOME_PATH, LOGO_PATH, REMOVE_LOGO_PATH } from '../paths.ts';
import { FacePreview, type PreviewedFace } from './face-preview.tsx';
import { mountLogoPage } from './logo-page.tsx';

/** A client and what it has set of its face. */
interface OwnFace {
  readonly client: Client;
  readonly face: ClientFace;
}

/** The pages on which owners change how their client appears to its subjects. */
export function faceRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  const mount = actionPages(routes, site);
  mount(change);
  mount(remove);
  mountLogoPage(routes, site);
  return routes;
}

const KEYS = Object.keys(faceFields);

/** Name of the button that shows the preview. Its form is posted, so that no address in it enters a log or a history. */
const PREVIEW = 'preview';

const change: ActionPage<FaceInput, ClientFace, OwnFace> = {
  action: changeFace,
  path: '/',
  back: { path: HOME_PATH, label: 'dashboard:nav.home' },
  load: ownFace,
  initial: ({ face }) => storedDetails(face),
  buttons: ({ t }) => (
    <button type="submit" class="secondary" name={PREVIEW} value="true">
      {t('dashboard:face.showPreview')}
    </button>
  ),
  isPreview: (values) => values.raw(PREVIEW) !== '',
  sheets: (subject, values) => {
    const { colour } = previewed(subject, values);
    return colour === null ? [] : [colourPath(colour, 'previews')];
  },
  below: (subject, values, page) => (
    <>
      <FacePreview page={page} face={previewed(subject, values)} />
      <LinkTo path={LOGO_PATH} label="dashboard:face.toLogo" page={page} />
      {subject.face.logo === null ? null : (
        <LinkTo path={REMOVE_LOGO_PATH} label="dashboard:face.toRemoveLogo" page={page} />
      )}
    </>
  ),
  done: () => `${HOME_PATH}?done=face`,
};

const remove: ActionPage<object, ClientFace, OwnFace> = {
  action: removeLogo,
  path: '/logo/remove',
  back: { path: FACE_PATH, label: 'dashboard:face.toFace' },
  load: ownFace,
  about: ({ client, face: { logo } }, page) => (
    <FaceName page={page} face={{ clientId: client.id, name: client.name, logo }} />
  ),
  isDangerous: true,
  done: () => `${HOME_PATH}?done=logoRemoved`,
};

async function ownFace(context: Context<StaffEnv>): Promise<OwnFace> {
  const { run } = context.get('as');
  const [{ client }, face] = await Promise.all([run(getOwnClient, {}), run(getOwnFace, {})]);
  return { client, face };
}

function storedDetails({ logo: _, ...details }: ClientFace): JsonObject {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null));
}

/** The face that the form would make. A field that would be refused is left out. */
function previewed({ client, face }: OwnFace, values: FormValues): PreviewedFace {
  const typed = Object.fromEntries(KEYS.map((key) => [key, values.text(key)]));
  const { displayName, ...details } = acceptedDetails(typed);
  return { ...details, clientId: client.id, name: displayName ?? client.name, logo: face.logo };
}
