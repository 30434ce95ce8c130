import { CountersignError } from '../errors.ts';
import { typedSchemaOf } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import type { Upload } from '../input/upload.ts';
import {
  type ClientFace,
  type FaceInput,
  faceDetailsOf,
  faceFields,
  faceIssues,
  type Logo,
  NO_FACE,
} from './client-face.ts';
import type { ClientRepository } from './client-repository.ts';
import type { ClientFaceRepository, FaceOutcome } from './face-repository.ts';
import { LOGO_MAX_BYTES, type LogoIntake } from './logo-intake.ts';
import { liveIdOf } from './test-twin.ts';

/** A client as its subjects see it. */
export interface ShownFace extends Omit<ClientFace, 'displayName'> {
  /** The client that the face belongs to. A test twin shows the face of its client. */
  readonly clientId: string;
  /** The display name, or the client's own name without one. */
  readonly name: string;
}

/** Reads faces for pages and mails. */
export interface ReadFaces {
  /** Returns the client as its subjects see it, or null for an unknown client. */
  shown(clientId: string): Promise<ShownFace | null>;
  /** Reads the content of the client's current logo, a PNG; null if that has another id. */
  logo(clientId: string, logoId: string): Promise<Uint8Array | null>;
}

/** Reads and changes faces, for owners and operators. */
export interface ManageFaces extends ReadFaces {
  /** Returns what the client has set. @throws `CLIENT_NOT_FOUND` */
  get(clientId: string): Promise<ClientFace>;
  /** Replaces all details. @throws `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND` */
  change(clientId: string, input: FaceInput): Promise<ClientFace>;
  /** Checks an upload, re-encodes it and makes it the logo. @throws `CLIENT_NOT_FOUND`, and as `LogoIntake.receiveLogo` */
  replaceLogo(clientId: string, upload: Upload): Promise<ClientFace>;
  /** @throws `CLIENT_NOT_FOUND` */
  removeLogo(clientId: string): Promise<ClientFace>;
}

const inputSchema = typedSchemaOf<FaceInput>(faceFields);

export function createManageFaces(ports: {
  faces: ClientFaceRepository;
  clients: Pick<ClientRepository, 'find'>;
  logos: LogoIntake | undefined;
}): ManageFaces {
  const { faces, clients, logos } = ports;

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
      const face = await faces.find(clientId);
      if (face === null && (await clients.find(clientId)) === null) throw new CountersignError('CLIENT_NOT_FOUND');
      return face ?? NO_FACE;
    },

    async shown(clientId) {
      const [found, own] = await Promise.all([clients.find(clientId), faces.find(clientId)]);
      if (found === null) return null;
      const liveId = liveIdOf(found.client);
      const face = liveId === clientId ? own : await faces.find(liveId);
      const { displayName, ...more } = face ?? NO_FACE;
      return { ...more, clientId: liveId, name: displayName ?? found.client.name };
    },

    logo: (clientId, logoId) => faces.logoContent(clientId, logoId),

    async change(clientId, input) {
      const details = faceDetailsOf(parseInput(inputSchema, input, faceIssues));
      return changedFace(await faces.setDetails(clientId, details));
    },

    async replaceLogo(clientId, upload) {
      const logo = await receive(upload, clientId);
      return changedFace(await faces.setLogo(clientId, logo));
    },

    removeLogo: async (clientId) => changedFace(await faces.setLogo(clientId, null)),
  };
}

/** @throws `CLIENT_NOT_FOUND` */
function changedFace(result: FaceOutcome): ClientFace {
  switch (result.outcome) {
    case 'changed':
      return result.face;
    case 'client_not_found':
      throw new CountersignError('CLIENT_NOT_FOUND');
    default:
      return result satisfies never;
  }
}
