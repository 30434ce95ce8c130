import { Hono } from 'hono';
import type { WebEnv } from '../site/page.ts';
import { DOCS_PATH } from '../site/paths.ts';
import type { Site } from '../site/site.ts';
import { type Docs, GUIDES_PATH, REFERENCE_PATH, readOnce } from './docs.ts';
import { type DocsPage, docsPage } from './docs-page.tsx';
import type { Guide } from './guide.ts';
import { embedding } from './guides/embedding.tsx';
import { errors } from './guides/errors.tsx';
import { idempotency } from './guides/idempotency.tsx';
import { lifeOfAVerification } from './guides/life-of-a-verification.tsx';
import { limits } from './guides/limits.tsx';
import { retention } from './guides/retention.tsx';
import { testMode } from './guides/test-mode.tsx';
import { webhooks } from './guides/webhooks.tsx';
import { yourTests } from './guides/your-tests.tsx';
import { OverviewPage } from './overview-page.tsx';
import { ReferencePage } from './reference-page.tsx';
import { TRY_IT_SCRIPT } from './try-it.tsx';

/** The guides in the order of a reader who begins. */
const GUIDES: readonly Guide[] = [
  lifeOfAVerification,
  errors,
  idempotency,
  limits,
  webhooks,
  testMode,
  yourTests,
  retention,
  embedding,
];

/**
 * The documentation of the API, for developers: an overview, guides and the reference. Mount it at `/`.
 * @param apiDocument makes the OpenAPI 3.1 document of the API, at the first request
 */
export function docsRoutes(site: Site, apiDocument: () => object): Hono<WebEnv> {
  const docs = (): Docs => readOnce(site, apiDocument);
  const pages: readonly DocsPage[] = [
    {
      path: DOCS_PATH,
      title: 'Developer documentation',
      content: (docs) => <OverviewPage docs={docs} guides={GUIDES} />,
    },
    {
      path: REFERENCE_PATH,
      title: 'API reference',
      scripts: [TRY_IT_SCRIPT],
      content: (docs) => <ReferencePage docs={docs} />,
    },
    ...GUIDES.map(({ slug, title, Content }) => ({
      path: `${GUIDES_PATH}/${slug}`,
      title,
      content: (docs: Docs) => (
        <>
          <h1>{title}</h1>
          <Content docs={docs} />
        </>
      ),
    })),
  ];
  const app = new Hono<WebEnv>();
  for (const page of pages) app.get(page.path, docsPage(docs, GUIDES, page));
  app.get(`${DOCS_PATH}/`, (context) => context.redirect(context.get('page').href(DOCS_PATH), 308));
  return app;
}
