import type { As } from '@countersign/domain';
import { listVerifications } from '@countersign/domain/actions';
import { Hono } from 'hono';
import { DeadEnd } from '../parts/blocks.tsx';
import { COPY_SCRIPT } from '../parts/copy.tsx';
import type { IconName } from '../parts/icon.tsx';
import { ButtonTo } from '../parts/page-parts.tsx';
import { withAppearance } from '../site/appearance.ts';
import { answerPage } from '../site/layout.tsx';
import { isolated, type MessageKey } from '../site/messages.ts';
import type { Site } from '../site/site.ts';
import { answerStaffPage, type StaffArea, type StaffEnv } from '../staff/area.tsx';
import { Badges, Buttons, Copying, Links, Menus } from './actions.tsx';
import { Cards, Empties, Histories, Notices, Pictures } from './blocks.tsx';
import { CaseParts } from './case.tsx';
import { designDetail } from './detail.tsx';
import { designForm, Fields } from './fields.tsx';
import { designList } from './list.tsx';
import { Numbers } from './numbers.tsx';
import { DESIGN_PATH } from './paths.ts';
import { SubjectParts } from './subject-page.tsx';
import { APPEARANCE, HARD, LOGO_CLIENT, LOGOS } from './values.ts';

const PAGES: readonly (readonly [path: string, label: MessageKey, icon: IconName])[] = [
  ['', 'dashboard:nav.home', 'house'],
  ['/list', 'dashboard:nav.verifications', 'list'],
  ['/fields', 'dashboard:nav.keys', 'file-text'],
  ['/subject', 'dashboard:nav.team', 'users'],
  ['/answers', 'dashboard:nav.usage', 'user'],
  ['/detail', 'dashboard:nav.settings', 'settings'],
  ['/case', 'review:nav.queue', 'inbox'],
  ['/end', 'review:nav.shortcuts', 'ban'],
];

/**
 * Shows the parts that pages are made of, in all their states and with values that are hard to lay out. For development
 * only: it needs no sign-in, and reads nothing. Mount it at `/`.
 */
export function designRoutes(site: Site): Hono<StaffEnv> {
  const app = new Hono<StaffEnv>();
  app.use(`${DESIGN_PATH}/*`, async (context, next) => {
    context.set('site', site);
    context.set('area', area);
    context.set('user', USER);
    context.set('as', ANYONE);
    await next();
  });
  app.get(DESIGN_PATH, (context) => {
    const page = context.get('page');
    const icons = [...site.assets.textOf('icons.svg').matchAll(/ id="([\w-]+)"/g)].map(([, name = '']) => name);
    return answerStaffPage(
      context,
      { title: HARD.longWord, scripts: [COPY_SCRIPT] },
      <>
        <h1>Parts of pages</h1>
        <Buttons page={page} />
        <Links page={page} />
        <Badges page={page} />
        <Menus page={page} />
        <Copying page={page} />
        <Cards page={page} />
        <Notices />
        <Histories page={page} />
        <Empties page={page} />
        <Numbers page={page} />
        <Pictures page={page} icons={icons} />
      </>,
    );
  });
  app.get(`${DESIGN_PATH}/list`, designList);
  app.get(`${DESIGN_PATH}/detail`, designDetail);
  app.get(`${DESIGN_PATH}/case`, (context) =>
    answerStaffPage(
      context,
      { title: 'A case', styles: ['review.css'], frameClass: 'without-rail' },
      <CaseParts page={context.get('page')} />,
    ),
  );
  app.get(`${DESIGN_PATH}/end`, (context) => {
    const page = context.get('page');
    return answerStaffPage(
      context,
      { title: 'A final page' },
      <DeadEnd page={page} title={HARD.longWord} text={isolated(HARD.rightToLeft)}>
        <ButtonTo path={DESIGN_PATH} label="site:errors.home" page={page} />
      </DeadEnd>,
    );
  });
  app.get(`${DESIGN_PATH}/fields`, (context) => {
    const page = context.get('page');
    const form = designForm(page, context.req.query('refused') !== undefined);
    return answerStaffPage(context, { title: 'Fields' }, <Fields page={page} form={form} />);
  });
  app.get(`${DESIGN_PATH}/subject`, (context) => {
    context.set(
      'page',
      withAppearance(context.get('page'), async () => APPEARANCE),
    );
    const page = context.get('page');
    return answerPage(
      context,
      { title: 'A page of subjects', styles: ['capture.css'] },
      <SubjectParts page={page} />,
    );
  });
  app.get(`${DESIGN_PATH}/answers`, (context) => {
    context.set(
      'page',
      withAppearance(context.get('page'), async () => APPEARANCE),
    );
    const page = context.get('page');
    const form = designForm(page, context.req.query('refused') !== undefined);
    return answerPage(context, { title: 'Answers' }, <Fields page={page} form={form} />);
  });
  app.get(`/faces/logos/${LOGO_CLIENT}/:name{(?:tall|wide)\\.png}`, ({ req, body }) => {
    const { width, height } = LOGOS[req.param('name') === 'tall.png' ? 'tall' : 'wide'];
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#0a6"/></svg>`;
    return body(drawing, 200, { 'Content-Type': 'image/svg+xml' });
  });
  return app;
}

/** The user, for whom the shell is drawn: with the longest name. */
const USER = {
  id: 'design',
  email: HARD.email,
  name: HARD.clientName,
  role: 'client',
  clientId: null,
  teamRole: 'owner',
} as const;

/** The caller of no action: each link to one is shown. */
const ANYONE = { may: () => 'yes' } as Partial<As> as As;

const area: StaffArea = {
  name: 'dashboard',
  menu: () =>
    PAGES.map(([path, label, icon]) => ({ path: DESIGN_PATH + path, label, icon, action: listVerifications })),
  styles: [],
  about: () => (
    <p class="shell-client">
      <bdi>{HARD.clientName}</bdi>
    </p>
  ),
};
