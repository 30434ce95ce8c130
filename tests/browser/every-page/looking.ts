import { type BothLanguages, inBothLanguages } from '@countersign/test-support/browser/both-languages';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { mountedRoutes } from '@countersign/test-support/browser/mounted-routes';
import { card } from '@countersign/test-support/pages/pictures';
import type { StaffForms } from '@countersign/test-support/pages/staff-forms';

/** What those share who look at the pages, each at an area of them. */
export interface Looking {
  readonly site: CountersignSite;
  /** A picture that is taken without a warning. */
  readonly good: Blob;
  /** @param session who they are signed in as. Left out, nobody */
  newReader(language: 'en' | 'de', session?: Pick<StaffForms, 'cookies'>): Promise<BothLanguages>;
  /** Ends the server. Gives the mounted routes that answered with nothing that was looked at. */
  missedRoutes(): Promise<string[]>;
}

/** A word that does not fit on a narrow screen, as names and addresses may be. */
export const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle';

export async function startLooking(): Promise<Looking> {
  // More people sign in than may from one address.
  const env = { TRUST_PROXY: '1' };
  const [site, picture] = await Promise.all([startSite(env), card('good', { width: 640, height: 400 })]);
  const requestIds = new Set<string>();
  return {
    site,
    good: new Blob([picture]),
    async newReader(language, session) {
      const reader = await inBothLanguages(site.origin, language, (requestId) => requestIds.add(requestId));
      if (session !== undefined) await reader.signInAs(session);
      return reader;
    },
    async missedRoutes() {
      // The log says which route answered: it is whole once the server has ended.
      const { stdout } = await site.server.stop();
      const lines = stdout.split('\n').filter((line) => line.includes('"requestId"'));
      const routes = lines.map((line) => JSON.parse(line) as { requestId: string; method: string; path: string });
      const looked = routes.filter(({ requestId }) => requestIds.has(requestId));
      const seen = new Set(looked.map(({ method, path }) => `${method} ${path}`));
      return (await mountedRoutes()).filter((route) => !seen.has(route));
    },
  };
}
