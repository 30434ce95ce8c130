import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { aLogo, factsOf, logoId, NO_DETAILS, someDetails } from '../records/appearances.ts';
import { range, tally } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { clientId } from '../records/ids.ts';
import { expectUnchanged } from '../records/picture.ts';
import { type Suite, suiteOf } from '../suite.ts';

const UNKNOWN = [clientId(3), '', 'not-an-id', `${clientId(1)}\u0000`, '\u0000'];

/** How clients appear to their subjects. */
export const appearancesSuite: Suite = suiteOf('appearances', {
  'find: answers null for a client that never changed its appearance, and for an unknown client': async (
    storage,
  ) => {
    await givenClient(storage, 1);
    for (const id of [clientId(1), ...UNKNOWN]) {
      expect(await storage.appearances.find(id)).toBeNull();
      expect(await storage.appearances.logoContent(id, logoId(1))).toBeNull();
    }
  },

  'setDetails: keeps all details of the client, and removes those that are null': async (storage) => {
    await givenClients(storage, [1, 2]);
    await storage.appearances.setDetails(clientId(2), someDetails(2));

    const partly = { ...NO_DETAILS, privacyAddress: 'privacy@shop.example' };
    for (const details of [someDetails(1), someDetails(1), partly, NO_DETAILS]) {
      const appearance = { ...details, logo: null };
      expect(await storage.appearances.setDetails(clientId(1), details)).toEqual({
        outcome: 'changed',
        appearance,
      });
      expect(await storage.appearances.find(clientId(1))).toEqual(appearance);
    }
    expect(await storage.appearances.find(clientId(2))).toEqual({ ...someDetails(2), logo: null });
  },

  'setLogo: keeps every byte, replaces the logo before, and removes it': async (storage) => {
    await givenClients(storage, [1, 2]);
    await storage.appearances.setLogo(clientId(2), aLogo(2));

    for (const logo of [aLogo(1), aLogo(3), aLogo(3), null, null, aLogo(1)]) {
      const appearance = { ...NO_DETAILS, logo: logo && factsOf(logo) };
      expect(await storage.appearances.setLogo(clientId(1), logo)).toEqual({ outcome: 'changed', appearance });
      expect(await storage.appearances.find(clientId(1))).toEqual(appearance);
      if (logo !== null) expect(await contentOf(storage, 1, logo.id)).toEqual(logo.content);
    }
    expect(await contentOf(storage, 2, logoId(2))).toEqual(aLogo(2).content);
  },

  'logoContent: answers null unless the client has this logo now': async (storage) => {
    await givenClients(storage, [1, 2]);
    await storage.appearances.setLogo(clientId(1), aLogo(1));
    await storage.appearances.setLogo(clientId(1), aLogo(2));

    for (const id of [logoId(1), logoId(2).slice(0, 20), logoId(2).toUpperCase(), '', `${logoId(2)}\u0000`]) {
      expect(await contentOf(storage, 1, id), id).toBeNull();
    }
    expect(await contentOf(storage, 2, logoId(2))).toBeNull();
    expect(await contentOf(storage, 1, logoId(2))).toEqual(aLogo(2).content);
    await storage.appearances.setLogo(clientId(1), null);
    expect(await contentOf(storage, 1, logoId(2))).toBeNull();
  },

  'setDetails, setLogo: change nothing else': async (storage) => {
    await givenClients(storage, [1, 2]);
    await expectUnchanged(storage, async () => {
      await storage.appearances.setDetails(clientId(1), someDetails());
      await storage.appearances.setLogo(clientId(1), aLogo());
      expect(await storage.appearances.find(clientId(1))).toEqual({ ...someDetails(), logo: factsOf(aLogo()) });
      await storage.appearances.setDetails(clientId(1), NO_DETAILS);
      expect(await storage.appearances.find(clientId(1))).toEqual({ ...NO_DETAILS, logo: factsOf(aLogo()) });
      await storage.appearances.setDetails(clientId(1), someDetails());
      await storage.appearances.setLogo(clientId(1), null);
      expect(await storage.appearances.find(clientId(1))).toEqual({ ...someDetails(), logo: null });
    });
  },

  'setDetails, setLogo: answer client_not_found for an unknown client and change nothing': async (storage) => {
    await givenClients(storage, [1, 2]);
    await expectUnchanged(storage, async () => {
      for (const unknown of UNKNOWN) {
        expect(await storage.appearances.setDetails(unknown, someDetails())).toEqual({
          outcome: 'client_not_found',
        });
        expect(await storage.appearances.setLogo(unknown, aLogo())).toEqual({ outcome: 'client_not_found' });
        expect(await storage.appearances.find(unknown)).toBeNull();
      }
      expect(await storage.appearances.find(clientId(1))).toBeNull();
    });
  },

  'setDetails, setLogo: both hold if they are changed at once': async (storage) => {
    await givenClients(storage, [1, 20]);

    const outcomes = await Promise.all(
      range(1, 20).flatMap((n) => {
        const changes = [
          () => storage.appearances.setDetails(clientId(n), someDetails()),
          () => storage.appearances.setLogo(clientId(n), aLogo(2)),
        ];
        return (n % 2 === 0 ? changes : changes.toReversed()).map((begin) => begin());
      }),
    );

    expect(tally(outcomes)).toEqual({ changed: 40 });
    for (const n of range(1, 20)) {
      expect(await storage.appearances.find(clientId(n))).toEqual({ ...someDetails(), logo: factsOf(aLogo(2)) });
    }
  },

  'setLogo: of several at once, one wins whole': async (storage) => {
    await givenClient(storage, 1);

    const outcomes = await Promise.all(
      range(1, 20).map((n) => storage.appearances.setLogo(clientId(1), n % 5 === 0 ? null : aLogo(n % 5))),
    );

    expect(tally(outcomes)).toEqual({ changed: 20 });
    const logo = (await storage.appearances.find(clientId(1)))?.logo ?? null;
    if (logo === null) return;
    const won = [1, 2, 3, 4].map(aLogo).find(({ id }) => id === logo.id);
    expect(won && factsOf(won)).toEqual(logo);
    expect(await contentOf(storage, 1, logo.id)).toEqual(won?.content);
  },

  'setLogo: later changes to the given content change nothing stored': async (storage) => {
    await givenClient(storage, 1);
    const logo = aLogo(2);
    await storage.appearances.setLogo(clientId(1), logo);
    logo.content.fill(0);
    expect(await contentOf(storage, 1, logo.id)).toEqual(aLogo(2).content);
    (await contentOf(storage, 1, logo.id))?.fill(0);
    expect(await contentOf(storage, 1, logo.id)).toEqual(aLogo(2).content);
  },
});

function contentOf({ appearances }: Storage, n: number, id: string): Promise<Uint8Array | null> {
  return appearances.logoContent(clientId(n), id);
}
