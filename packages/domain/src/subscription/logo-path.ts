import type { LogoFacts } from './client-appearance.ts';

/** The path below the public base URL of what clients show to everyone: their logos and the stylesheets of their colours. */
export const APPEARANCES_PATH = '/faces';

/** Returns the path of a client's logo; null without one. Another logo has another path. */
export function logoPath(clientId: string, logo: LogoFacts | null): string | null {
  return logo && `${APPEARANCES_PATH}/logos/${encodeURIComponent(clientId)}/${logo.id}.png`;
}
