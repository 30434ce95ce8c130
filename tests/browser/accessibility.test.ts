// Opens every page of the server once, in a browser: only there are colours, sizes and policies computed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUBJECT_TYPES } from '@countersign/domain';
import { currentFlow, screensOf } from '@countersign/domain/flows';
import { ANSWERS, personOf } from '@countersign/test-support/pages/page-answers';
import { describeWith } from '@countersign/test-support/servers';
import { beforeAll, describe, expect, it } from 'vitest';
import { lookAtAccounts } from './every-page/account-pages.ts';
import { lookAtAuditLog } from './every-page/admin-audit.ts';
import { lookAtClients } from './every-page/admin-clients.ts';
import { lookAtUsers } from './every-page/admin-users.ts';
import { lookAsViewer, lookAtDashboardHome } from './every-page/dashboard-home.ts';
import { lookAtKeys } from './every-page/dashboard-keys.ts';
import { lookAtTeam } from './every-page/dashboard-team.ts';
import { lookAtTestMode } from './every-page/dashboard-test-mode.ts';
import { lookAtExport, lookAtVerifications } from './every-page/dashboard-verifications.ts';
import { lookAtWebhooks } from './every-page/dashboard-webhooks.ts';
import { lookAtDataCopies } from './every-page/data-copies.ts';
import { lookAtDocs } from './every-page/docs-pages.ts';
import { LONG, type Looking, startLooking } from './every-page/looking.ts';
import { lookAtRetention } from './every-page/retention-pages.ts';
import { lookAtEmptyQueue, lookAtReview } from './every-page/review-pages.ts';
import {
  lookAtErrorPages,
  lookAtTheWayOf,
  lookAtTooManyRequests,
  lookAtVersion1,
} from './every-page/subject-pages.ts';

/** Routes that never respond with a whole page. A new route is added here or to the checks below. */
const NO_PAGES: readonly string[] = [
  // Redirects.
  'GET /account',
  'GET /docs/',
  ...['begin', 'confirm', 'remove'].map((form) => `GET /account/security/${form}`),
  'GET /account/security/passkeys/remove',
  'POST /account/sign-out',
  // Redirects, and pages that tests/browser/single-sign-on looks at: they need an identity provider.
  'GET /account/sso/{provider}',
  'GET /account/sso/{provider}/callback',
  'GET /account/security/providers',
  'GET /account/security/providers/disconnect',
  'POST /account/security/providers/disconnect',
  // Pages that tests/browser/passkeys looks at: they need an authenticator.
  'GET /account/second-factor/passkey',
  'POST /account/second-factor/passkey',
  'GET /account/security/passkeys',
  'POST /account/security/passkeys',
  'POST /account/security/passkeys/remove',
  'POST /dashboard/face/logo/remove',
  ...['approve', 'ask', 'claim', 'note', 'reject', 'release'].map((act) => `GET /review/{id}/${act}`),
  'POST /review/next',
  'POST /review/keys',
  'POST /verify/{id}/data-copy',
  'POST /verify/{id}/phone',
  'POST /verify/{id}/continue/{code}',
  // File contents.
  'GET /faces/{coloured}/{name}',
  'GET /faces/previews/standard.css',
  'GET /faces/logos/{clientId}/{name}',
  'GET /dashboard/verifications/{verificationId}/export',
  'GET /dashboard/verifications/{verificationId}/files/{fileId}',
  'GET /dashboard/verifications/{verificationId}/files/{fileId}/pages/{page}',
  'GET /dashboard/verifications/{verificationId}/files/{fileId}/thumbnail',
  'GET /review/{id}/files/{fileId}',
  'GET /review/{id}/files/{fileId}/pages/{page}',
  'GET /review/{id}/files/{fileId}/thumbnail',
  'GET /verify/{id}/files/{fileId}',
  'GET /verify/{id}/files/{fileId}/thumbnail',
  // A fragment of the page /verify/{id}/phone.
  'GET /verify/{id}/phone/progress',
];

describeWith(['chromium'], 'every page, in both languages, light and dark, narrow and wide', () => {
  let looking: Looking;
  const slugs: string[] = [];

  beforeAll(async () => {
    looking = await startLooking();
  });

  describe('before a verification is submitted', () => {
    it('the empty review queue is accessible', () => lookAtEmptyQueue(looking));
  });

  describe('is accessible, loads nothing from other origins and obeys its Content-Security-Policy:', {
    timeout: 600_000,
  }, () => {
    it('the steps of a person, from link to end', async () => {
      const name = { ...ANSWERS.kyc.name, lastName: LONG };
      slugs.push(...(await lookAtTheWayOf(looking, 'kyc', { name })));
    });

    it('the steps of a business, from link to end', async () => {
      const people = { owners: { noBeneficialOwner: 'true' }, managers: personOf('seniorManagers.0') };
      slugs.push(...(await lookAtTheWayOf(looking, 'kyb', people)));
    });

    it.each(SUBJECT_TYPES)('the pages of a %s that an earlier version began', async (type) => {
      slugs.push(...(await lookAtVersion1(looking, type)));
    });

    it('the error pages a subject can meet', () => lookAtErrorPages(looking));
    it('the page for too many requests', () => lookAtTooManyRequests());
    it('sign-in, password confirmation and the second factor', () => lookAtAccounts(looking));
    it('the review console and the pages of reviewed subjects', () => lookAtReview(looking));
    it("a client's overview, and the 403 page for an operator", () => lookAtDashboardHome(looking));
    it('the dashboard of a viewer', () => lookAsViewer(looking));
    it("a client's keys", () => lookAtKeys(looking));
    it("a client's webhooks", () => lookAtWebhooks(looking));
    it("a client's verifications", () => lookAtVerifications(looking));
    it('what is on hold, hidden and erased, and the forms for it', () => lookAtRetention(looking));
    it('the export of verifications', () => lookAtExport(looking));
    it('copies of data: request, release and download', () => lookAtDataCopies(looking));
    it('the dashboard in test mode', () => lookAtTestMode(looking));
    it("a client's team", () => lookAtTeam(looking));
    it("the operator's clients", () => lookAtClients(looking));
    it("the operator's users", () => lookAtUsers(looking));
    it('the audit log', () => lookAtAuditLog(looking));
    it('the documentation for developers', () => lookAtDocs(looking));
  });

  it('the checks above visited every step and every route', async () => {
    const texts = join(import.meta.dirname, '../../packages/web/src/locales/en/verify.json');
    const { pages } = JSON.parse(readFileSync(texts, 'utf8')) as { pages: Record<string, object> };
    // A screen of several pages has their titles too.
    const screens = SUBJECT_TYPES.flatMap((type) => screensOf(currentFlow(type)));
    const visited = screens.filter(({ slug }) => slugs.includes(slug));
    const titled = visited.flatMap(({ parts }) => (parts.length > 1 ? parts.map(({ page }) => page) : []));
    expect([...new Set([...slugs, ...titled])].sort()).toEqual(Object.keys(pages).sort());

    const missed = await looking.missedRoutes();
    // Test mode has the same pages below its own path, with a banner. Some of each kind are looked at there.
    const isInTestMode = (route: string) => / \/dashboard\/test\//.test(route);
    expect(missed.filter((route) => !NO_PAGES.includes(route) && !isInTestMode(route))).toEqual([]);
  });
});
