import { Hono } from 'hono';
import type { WebEnv } from '../site/page.ts';
import { DOCS_PATH } from '../site/paths.ts';
import type { Site } from '../site/site.ts';
import { operationTitle } from './api-document.ts';
import { type Docs, GUIDES_PATH, readOnce } from './docs.ts';
import { type DocsPage, docsPage, type FindPage } from './docs-page.tsx';
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
import { ObjectsPage } from './objects-page.tsx';
import { OperationPage } from './operation-page.tsx';
import { OverviewPage } from './overview-page.tsx';
import { HeadersPage, REFERENCE_SCRIPT, ReferencePage } from './reference-page.tsx';
import { HEADERS, OBJECTS, REFERENCE_PATH, referencePath, WEBHOOKS } from './reference-paths.ts';
import { TRY_IT_SCRIPT } from './try-it.tsx';
import { WebhooksPage } from './webhooks-page.tsx';

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
  const guides = GUIDES.filter(({ needs }) => needs === undefined || site.parts.has(needs));
  const docs = (): Docs => readOnce(site, apiDocument);
  const pages: readonly DocsPage[] = [
    {
      path: DOCS_PATH,
      title: 'Developer documentation',
      content: (docs) => <OverviewPage docs={docs} guides={guides} />,
    },
    ...guides.map(({ slug, title, Content }) => ({
      path: `${GUIDES_PATH}/${slug}`,
      title,
      content: (docs: Docs) => (
        <>
          <h1>{title}</h1>
          <Content docs={docs} />
        </>
      ),
    })),
    {
      path: REFERENCE_PATH,
      title: 'API reference',
      scripts: [REFERENCE_SCRIPT],
      content: (docs) => <ReferencePage docs={docs} />,
    },
    {
      path: referencePath(OBJECTS),
      title: 'Objects – API reference',
      content: (docs) => <ObjectsPage docs={docs} />,
    },
    {
      path: referencePath(HEADERS),
      title: 'Headers – API reference',
      content: (docs) => <HeadersPage docs={docs} />,
    },
  ];
  const webhooksPage: DocsPage = {
    path: referencePath(WEBHOOKS),
    title: 'Webhooks – API reference',
    content: (docs) => <WebhooksPage docs={docs} />,
  };
  const app = new Hono<WebEnv>();
  for (const page of site.parts.has('webhooks') ? [...pages, webhooksPage] : pages)
    app.get(
      page.path,
      docsPage(docs, guides, () => page),
    );
  app.get(referencePath(':name'), docsPage(docs, guides, operationPage));
  app.get(`${DOCS_PATH}/`, (context) => context.redirect(context.get('page').href(DOCS_PATH), 308));
  return app;
}

/** Finds the page of an operation by its id. */
const operationPage: FindPage = ({ operations }, id) => {
  const operation = operations.find(({ operationId }) => operationId === id);
  if (operation === undefined) return null;
  return {
    path: referencePath(id),
    title: `${operationTitle(operation)} – API reference`,
    scripts: [TRY_IT_SCRIPT],
    content: (docs) => <OperationPage docs={docs} operation={operation} />,
  };
};
