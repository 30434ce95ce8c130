import {
  NO_TEMPLATES,
  type ReasonTemplate,
  type ReasonTemplates,
  TEMPLATE_TEXT_MAX_CHARACTERS,
  TEMPLATES_MAX_COUNT,
  testTwinOf,
} from '@countersign/domain/clients';
import { expect } from 'vitest';
import { range, tally } from '../records/at-once.ts';
import { aClient, aSubscription, givenClient, givenClients } from '../records/clients.ts';
import { clientId, minute } from '../records/ids.ts';
import { expectUnchanged } from '../records/picture.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Not in the order of their names, with a text in one language or both. */
const TEMPLATES: ReasonTemplates = {
  ask: [
    { name: 'Unscharf "ß"', de: 'Bitte noch einmal.\n\n\tMit Licht: it’s \\ dark 😀' },
    { name: 'Blurred', en: 'Please take it again.', de: 'Bitte noch einmal.' },
  ],
  reject: [{ name: 'Blurred', en: '{"ask": []}' }],
};

const longest = (name: string): ReasonTemplate => {
  const text = `${name} `.padEnd(TEMPLATE_TEXT_MAX_CHARACTERS, 'ü');
  return { name, en: text, de: text };
};

/** The longest lists that a client can have. */
const LONGEST: ReasonTemplates = {
  ask: range(1, TEMPLATES_MAX_COUNT).map((n) => longest(`ask ${n}`)),
  reject: range(1, TEMPLATES_MAX_COUNT).map((n) => longest(`reject ${n}`)),
};

/** The messages of a client that reviewers insert. */
export const reasonTemplatesSuite: Suite = suiteOf('reason templates', {
  'create: keeps the templates of a client and of its twin': async ({ clients }) => {
    const client = aClient(1, { reasonTemplates: TEMPLATES });
    const test = { ...testTwinOf(client, { id: clientId(2), createdAt: minute(2) }), reasonTemplates: LONGEST };
    await clients.create({ client, subscription: aSubscription(), test });

    expect((await clients.list()).map((entry) => entry.client)).toEqual([client, test]);
    expect((await clients.find(clientId(2)))?.client).toEqual(test);
  },

  'setReasonTemplates: replaces all templates of the client and changes nothing else': async (storage) => {
    const others = { testOf: clientId(9), createdAt: minute(1, 23), fileAccess: true };
    await givenClient(storage, 1, aSubscription({ monthlyLimit: 7 }), others);
    await givenClient(storage, 2, null, { reasonTemplates: LONGEST });

    await expectUnchanged(storage, async () => {
      for (const reasonTemplates of [TEMPLATES, TEMPLATES, LONGEST, { ...TEMPLATES, ask: [] }, NO_TEMPLATES]) {
        const client = aClient(1, { ...others, reasonTemplates });
        const answer = await storage.clients.setReasonTemplates(clientId(1), reasonTemplates);
        expect(answer).toEqual({ outcome: 'changed', client });
        expect((await storage.clients.find(clientId(1)))?.client).toEqual(client);
        expect((await storage.clients.find(clientId(2)))?.client.reasonTemplates).toEqual(LONGEST);
      }
    });
  },

  'setReasonTemplates: answers client_not_found for an unknown client and changes nothing': async (storage) => {
    await givenClients(storage, [1, 2]);

    await expectUnchanged(storage, async () => {
      for (const unknown of [clientId(3), '', 'not-an-id', `${clientId(1)}\u0000`, '\u0000']) {
        const answer = await storage.clients.setReasonTemplates(unknown, TEMPLATES);
        expect(answer).toEqual({ outcome: 'client_not_found' });
      }
    });
  },

  'setReasonTemplates: of two calls at the same time, one wins whole, beside a change of the access to files':
    async (storage) => {
      await givenClients(storage, [1, 10]);
      const both = [TEMPLATES, LONGEST];

      const outcomes = await Promise.all(
        range(1, 10).flatMap((n) => [
          ...both.map((templates) => storage.clients.setReasonTemplates(clientId(n), templates)),
          storage.clients.setFileAccess(clientId(n), true),
        ]),
      );

      expect(tally(outcomes)).toEqual({ changed: 30 });
      for (const { client } of await storage.clients.list()) {
        expect(both).toContainEqual(client.reasonTemplates);
        expect(client.fileAccess).toBe(true);
      }
    },
});
