import {
  type BothLanguages,
  createReaders,
  inBothLanguages,
} from '@countersign/test-support/browser/both-languages';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { mountedRoutes } from '@countersign/test-support/browser/mounted-routes';
import { giveContacts } from '@countersign/test-support/installation/operator';
import { card } from '@countersign/test-support/pages/pictures';
import type { StaffForms } from '@countersign/test-support/pages/staff-forms';

/** The server and test data shared by the checks of all areas. */
export interface Looking {
  readonly site: CountersignSite;
  /** A picture that passes without a warning. */
  readonly good: Blob;
  /** Continues in the browser of the reader before, without its cookies. @param session the signed-in user; left out, the reader is anonymous */
  newReader(language: 'en' | 'de', session?: Pick<StaffForms, 'cookies'>): Promise<BothLanguages>;
  /** Stops the server and lists the mounted routes that no check has visited. */
  missedRoutes(): Promise<string[]>;
}

/** A word that does not fit on a narrow screen, as some names and addresses do not, before one that is written from right to left. */
export const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle \u0646\u0648\u0631';

/** Templates of messages with long names and texts, one of them in German only. */
export const TEMPLATES = {
  ask: [
    { name: LONG, en: `Please take it again ${LONG}`, de: 'Bitte noch einmal.' },
    { name: 'Dunkel', de: 'Bitte bei Tageslicht.' },
  ],
  reject: [{ name: 'Two people', en: 'The documents belong to two people.' }],
};

export async function startLooking(): Promise<Looking> {
  // More users sign in than one IP address may.
  const env = { TRUST_PROXY: '1' };
  const [site, picture] = await Promise.all([startSite(env), card('good')]);
  await giveContacts(site.server, site.clientId);
  const requestIds = new Set<string>();
  const readers = createReaders(site.origin);
  return {
    site,
    good: new Blob([picture]),
    async newReader(language, session) {
      const reader = inBothLanguages(site.origin, await readers.of(language), (requestId) =>
        requestIds.add(requestId),
      );
      if (session !== undefined) await reader.signInAs(session);
      return reader;
    },
    async missedRoutes() {
      // The access log names the route of each response. It is complete once the server has stopped.
      const { stdout } = await site.server.stop();
      const lines = stdout.split('\n').filter((line) => line.includes('"requestId"'));
      const routes = lines.map((line) => JSON.parse(line) as { requestId: string; method: string; path: string });
      const looked = routes.filter(({ requestId }) => requestIds.has(requestId));
      const seen = new Set(looked.map(({ method, path }) => `${method} ${path}`));
      return (await mountedRoutes()).filter((route) => !seen.has(route));
    },
  };
}
