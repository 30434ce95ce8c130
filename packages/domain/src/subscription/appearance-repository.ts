import type { AppearanceDetails, ClientAppearance, Logo } from './client-appearance.ts';

/** The result of a change: the appearance as it is then. */
export type AppearanceOutcome =
  | { readonly outcome: 'changed'; readonly appearance: ClientAppearance }
  | { readonly outcome: 'client_not_found' };

/** The appearances of clients. Details and logo are changed apart, so that neither change loses the other. */
export interface ClientAppearanceRepository {
  /** Finds the appearance of a client; null for an unknown client, and for one that never changed its appearance. Reads no content of a logo. */
  find(clientId: string): Promise<ClientAppearance | null>;

  /**
   * Replaces the details, all of them. The logo stays.
   *
   * Concurrency: of several calls, the last wins whole; changes of details and of the logo are both kept.
   */
  setDetails(clientId: string, details: AppearanceDetails): Promise<AppearanceOutcome>;

  /**
   * Replaces the logo; null removes it. The details stay.
   *
   * Concurrency: as `setDetails`.
   */
  setLogo(clientId: string, logo: Logo | null): Promise<AppearanceOutcome>;

  /** Reads the content of a client's logo; null unless the client's logo has this id now. */
  logoContent(clientId: string, logoId: string): Promise<Uint8Array | null>;
}
