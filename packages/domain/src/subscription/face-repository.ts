import type { ClientFace, FaceDetails, Logo } from './client-face.ts';

/** The result of a change: the face as it is then. */
export type FaceOutcome =
  | { readonly outcome: 'changed'; readonly face: ClientFace }
  | { readonly outcome: 'client_not_found' };

/** The faces of clients. Details and logo are changed apart, so that neither change loses the other. */
export interface ClientFaceRepository {
  /** Finds the face of a client; null for an unknown client, and for one that never changed its face. Reads no content of a logo. */
  find(clientId: string): Promise<ClientFace | null>;

  /**
   * Replaces the details, all of them. The logo stays.
   *
   * Concurrency: of several calls, the last wins whole; changes of details and of the logo are both kept.
   */
  setDetails(clientId: string, details: FaceDetails): Promise<FaceOutcome>;

  /**
   * Replaces the logo; null removes it. The details stay.
   *
   * Concurrency: as `setDetails`.
   */
  setLogo(clientId: string, logo: Logo | null): Promise<FaceOutcome>;

  /** Reads the content of a client's logo; null unless the client's logo has this id now. */
  logoContent(clientId: string, logoId: string): Promise<Uint8Array | null>;
}
