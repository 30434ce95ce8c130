import { type ClientFace, type FaceDetails, NO_FACE } from '@countersign/domain/clients';
import type { ClientFaceEntry, ClientFaceRepository, FaceOutcome } from '@countersign/domain/storage';
import type { Tables } from './tables.ts';

export function createFaces({
  clients,
  clientFaces,
}: Pick<Tables, 'clients' | 'clientFaces'>): ClientFaceRepository {
  const { logo: _, ...noDetails } = NO_FACE;

  function change(clientId: string, changed: Partial<Pick<ClientFaceEntry, 'details' | 'logo'>>): FaceOutcome {
    if (!clients.has(clientId)) return { outcome: 'client_not_found' };
    const present = clientFaces.get(clientId) ?? { clientId, details: noDetails, logo: null };
    const entry: ClientFaceEntry = structuredClone({ ...present, ...changed });
    clientFaces.set(clientId, entry);
    return { outcome: 'changed', face: faceOf(entry) };
  }

  return {
    async find(clientId) {
      const entry = clientFaces.get(clientId);
      return entry === undefined ? null : faceOf(entry);
    },
    setDetails: async (clientId, details) => change(clientId, { details: onlyDetails(details) }),
    setLogo: async (clientId, logo) => change(clientId, { logo }),
    async logoContent(clientId, logoId) {
      const logo = clientFaces.get(clientId)?.logo ?? null;
      return logo?.id === logoId ? structuredClone(logo.content) : null;
    },
  };
}

function faceOf({ details, logo }: ClientFaceEntry): ClientFace {
  const facts = logo && { id: logo.id, width: logo.width, height: logo.height };
  return structuredClone({ ...details, logo: facts });
}

function onlyDetails({ displayName, colour, supportAddress, privacyAddress }: FaceDetails): FaceDetails {
  return { displayName, colour, supportAddress, privacyAddress };
}
