import { type AppearanceDetails, type ClientAppearance, NO_APPEARANCE } from '@countersign/domain/clients';
import type {
  AppearanceOutcome,
  ClientAppearanceEntry,
  ClientAppearanceRepository,
} from '@countersign/domain/storage';
import type { Tables } from './tables.ts';

export function createAppearances({
  clients,
  clientFaces,
}: Pick<Tables, 'clients' | 'clientFaces'>): ClientAppearanceRepository {
  const { logo: _, ...noDetails } = NO_APPEARANCE;

  function change(
    clientId: string,
    changed: Partial<Pick<ClientAppearanceEntry, 'details' | 'logo'>>,
  ): AppearanceOutcome {
    if (!clients.has(clientId)) return { outcome: 'client_not_found' };
    const present = clientFaces.get(clientId) ?? { clientId, details: noDetails, logo: null };
    const entry: ClientAppearanceEntry = structuredClone({ ...present, ...changed });
    clientFaces.set(clientId, entry);
    return { outcome: 'changed', appearance: appearanceOf(entry) };
  }

  return {
    async find(clientId) {
      const entry = clientFaces.get(clientId);
      return entry === undefined ? null : appearanceOf(entry);
    },
    setDetails: async (clientId, details) => change(clientId, { details: onlyDetails(details) }),
    setLogo: async (clientId, logo) => change(clientId, { logo }),
    async logoContent(clientId, logoId) {
      const logo = clientFaces.get(clientId)?.logo ?? null;
      return logo?.id === logoId ? structuredClone(logo.content) : null;
    },
  };
}

function appearanceOf({ details, logo }: ClientAppearanceEntry): ClientAppearance {
  const facts = logo && { id: logo.id, width: logo.width, height: logo.height };
  return structuredClone({ ...details, logo: facts });
}

function onlyDetails({
  displayName,
  colour,
  supportAddress,
  privacyAddress,
}: AppearanceDetails): AppearanceDetails {
  return { displayName, colour, supportAddress, privacyAddress };
}
