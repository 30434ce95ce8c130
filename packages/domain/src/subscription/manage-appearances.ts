import { CountersignError } from '../errors.ts';
import { typedSchemaOf } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import type { Upload } from '../input/upload.ts';
import type { AppearanceOutcome, ClientAppearanceRepository } from './appearance-repository.ts';
import {
  type AppearanceInput,
  appearanceDetailsOf,
  appearanceFields,
  appearanceIssues,
  type ClientAppearance,
  type Logo,
  NO_APPEARANCE,
} from './client-appearance.ts';
import type { ClientRepository } from './client-repository.ts';
import { LOGO_MAX_BYTES, type LogoIntake } from './logo-intake.ts';
import { liveIdOf } from './test-twin.ts';

/** A client as its subjects see it. */
export interface ShownAppearance extends Omit<ClientAppearance, 'displayName'> {
  /** The client that the appearance belongs to. A test twin shows the appearance of its client. */
  readonly clientId: string;
  /** The display name, or the client's own name without one. */
  readonly name: string;
}

/** Reads appearances for pages and mails. */
export interface ReadAppearances {
  /** Returns the client as its subjects see it, or null for an unknown client. */
  shown(clientId: string): Promise<ShownAppearance | null>;
  /** Reads the content of the client's current logo, a PNG; null if that has another id. */
  logo(clientId: string, logoId: string): Promise<Uint8Array | null>;
}

/** Reads and changes appearances, for owners and operators. */
export interface ManageAppearances extends ReadAppearances {
  /** Returns what the client has set. @throws `CLIENT_NOT_FOUND` */
  get(clientId: string): Promise<ClientAppearance>;
  /** Replaces all details. @throws `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND` */
  change(clientId: string, input: AppearanceInput): Promise<ClientAppearance>;
  /** Checks an upload, re-encodes it and makes it the logo. @throws `CLIENT_NOT_FOUND`, and as `LogoIntake.receiveLogo` */
  replaceLogo(clientId: string, upload: Upload): Promise<ClientAppearance>;
  /** @throws `CLIENT_NOT_FOUND` */
  removeLogo(clientId: string): Promise<ClientAppearance>;
}

const inputSchema = typedSchemaOf<AppearanceInput>(appearanceFields);

export function createManageAppearances(ports: {
  appearances: ClientAppearanceRepository;
  clients: Pick<ClientRepository, 'find'>;
  logos: LogoIntake | undefined;
}): ManageAppearances {
  const { appearances, clients, logos } = ports;

  async function receive(upload: Upload, sender: string): Promise<Logo> {
    if (logos === undefined) {
      throw new Error('The port `logos` is missing: pass it to createCountersign to accept logos');
    }
    const logo = await logos.receiveLogo(upload, sender);
    // Adopters may bring an intake of their own.
    if (logo.content.byteLength > LOGO_MAX_BYTES) throw new Error('The re-encoded logo is too large');
    return logo;
  }

  return {
    async get(clientId) {
      const appearance = await appearances.find(clientId);
      if (appearance === null && (await clients.find(clientId)) === null)
        throw new CountersignError('CLIENT_NOT_FOUND');
      return appearance ?? NO_APPEARANCE;
    },

    async shown(clientId) {
      const [found, own] = await Promise.all([clients.find(clientId), appearances.find(clientId)]);
      if (found === null) return null;
      const liveId = liveIdOf(found.client);
      const appearance = liveId === clientId ? own : await appearances.find(liveId);
      const { displayName, ...more } = appearance ?? NO_APPEARANCE;
      return { ...more, clientId: liveId, name: displayName ?? found.client.name };
    },

    logo: (clientId, logoId) => appearances.logoContent(clientId, logoId),

    async change(clientId, input) {
      const details = appearanceDetailsOf(parseInput(inputSchema(), input, appearanceIssues));
      return changedAppearance(await appearances.setDetails(clientId, details));
    },

    async replaceLogo(clientId, upload) {
      const logo = await receive(upload, clientId);
      return changedAppearance(await appearances.setLogo(clientId, logo));
    },

    removeLogo: async (clientId) => changedAppearance(await appearances.setLogo(clientId, null)),
  };
}

/** @throws `CLIENT_NOT_FOUND` */
function changedAppearance(result: AppearanceOutcome): ClientAppearance {
  switch (result.outcome) {
    case 'changed':
      return result.appearance;
    case 'client_not_found':
      throw new CountersignError('CLIENT_NOT_FOUND');
    default:
      return result satisfies never;
  }
}
