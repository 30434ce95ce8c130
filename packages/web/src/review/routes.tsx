import { CountersignError } from '@countersign/domain';
import { listReviewQueue, nameClients, previewDecision, searchClients } from '@countersign/domain/actions';
import type { Context, Hono } from 'hono';
import { actionPages } from '../actions/action-page.tsx';
import { declinePage } from '../actions/exports/decline-page.tsx';
import { releasePage } from '../actions/exports/release-page.tsx';
import { mountOtherActions, type NameOfId, otherItems } from '../actions/other-actions.ts';
import { mountRetentionPages } from '../actions/retention/retention-actions.tsx';
import { mountFiles } from '../site/file-answer.ts';
import type { Site } from '../site/site.ts';
import { AREAS, type MenuItem, type StaffArea, type StaffEnv } from '../staff/area.tsx';
import { referenceInWords } from '../staff/data-state.tsx';
import { areaRoutes } from '../staff/gate.ts';
import { listPage } from '../staff/list-page.tsx';
import { handOverPage } from './hand-over-page.tsx';
import { hasShortcuts, KeysHelp, keysPage, switchKeys } from './keys-page.tsx';
import { CaseBefore, startReviewing, workQuery } from './next-case.tsx';
import { KEYS_PATH, NEXT_PATH, QUEUE_PATH, retentionPath } from './paths.ts';
import { queue } from './queue.tsx';
import { reviewActionHandler, showReview, toReview } from './review-actions.ts';
import { answerFile } from './review-page.tsx';
import { searchPage, startSearch } from './search-page.tsx';
import { REVIEW_ACTIONS, type ReviewAction } from './typed.ts';

const MENU: readonly MenuItem[] = [
  { path: QUEUE_PATH, label: 'review:nav.queue', action: listReviewQueue, icon: 'inbox', key: 'q' },
  { path: KEYS_PATH, label: 'review:nav.shortcuts', action: listReviewQueue, icon: 'keyboard' },
  { path: AREAS.admin.path, label: 'review:nav.administration', action: searchClients, icon: 'building-2' },
];

export function reviewArea(site: Site): StaffArea {
  return {
    name: 'review',
    query: workQuery,
    styles: ['review.css'],
    scripts: ['review.js'],
    menu: () => [...MENU, ...otherItems(site, 'review')],
    // A verification's page holds all its forms.
    pageOfForm: (path) => (path === NEXT_PATH ? QUEUE_PATH : path.split('/').slice(0, 3).join('/')),
    frame: (context, content) => (
      <div class="review" data-shortcuts={hasShortcuts(context) ? 'on' : 'off'}>
        <CaseBefore context={context} />
        {content}
        <dialog id="keys" data-key="?" aria-labelledby="keys-title">
          {/* The button comes first, so that the focus starts above the text. */}
          <form method="dialog">
            <button type="submit" class="secondary">
              {context.get('page').t('review:keys.close')}
            </button>
          </form>
          <KeysHelp page={context.get('page')} heading="h2" />
        </dialog>
      </div>
    ),
  };
}

/** Makes the routes of the reviewer console. */
export function reviewRoutes(site: Site): Hono<StaffEnv> {
  const routes = areaRoutes(site, reviewArea(site));
  routes.get('/', listPage(queue));
  routes.post('/next', startReviewing);
  routes.get('/search', searchPage);
  routes.post('/search', startSearch);
  routes.get('/keys', keysPage);
  routes.post('/keys', switchKeys);
  routes.get('/:id', showReview);
  mountFiles(routes, '/:id', answerFile);
  for (const action of Object.keys(REVIEW_ACTIONS) as ReviewAction[]) {
    routes.post(`/:id/${action}`, reviewActionHandler(action));
    routes.get(`/:id/${action}`, toReview);
  }
  const mount = actionPages(routes, site);
  const onVerification = {
    pathOf: retentionPath,
    back: 'review:case.backToCase',
    load: (context: Context<StaffEnv>, verificationId: string) =>
      context.get('as').run(previewDecision, { verificationId }),
  } as const;
  mountRetentionPages(mount, onVerification);
  mount(handOverPage);
  mount(releasePage(onVerification));
  mount(declinePage(onVerification));
  mountOtherActions(routes, site, 'review', {
    back: { path: QUEUE_PATH, label: 'review:case.back' },
    names: {
      clientId: clientName,
      verificationId: async (context, verificationId) =>
        referenceInWords(await context.get('as').run(previewDecision, { verificationId }), context.get('page')),
    },
  });
  return routes;
}

/** @throws CountersignError `CLIENT_NOT_FOUND` */
const clientName: NameOfId = async (context, clientId) => {
  const names = await context.get('as').run(nameClients, { clientIds: [clientId] });
  const name = names.get(clientId);
  if (name === undefined) throw new CountersignError('CLIENT_NOT_FOUND');
  return name;
};
