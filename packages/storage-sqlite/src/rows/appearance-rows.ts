import type { AppearanceDetails, ClientAppearance, Logo, LogoFacts } from '@countersign/domain/clients';
import { type ClientAppearanceEntry, parseRow } from '@countersign/domain/storage';
import type { clientFaces } from '../appearance-tables.ts';

type AppearanceRow = typeof clientFaces.$inferSelect;

/** The columns of the details. */
export function toDetailColumns({
  displayName,
  colour,
  supportAddress,
  privacyAddress,
}: AppearanceDetails): Pick<AppearanceRow, keyof AppearanceDetails> {
  return { displayName, colour, supportAddress, privacyAddress };
}

/** The columns of the logo. */
export function toLogoColumns(
  logo: Logo | null,
): Pick<AppearanceRow, 'logoId' | 'logoWidth' | 'logoHeight' | 'logo'> {
  if (logo === null) return { logoId: null, logoWidth: null, logoHeight: null, logo: null };
  const { id, width, height, content } = logo;
  return { logoId: id, logoWidth: width, logoHeight: height, logo: Buffer.from(content) };
}

/** A row without its content. */
export function fromAppearanceRow(row: Omit<AppearanceRow, 'logo'>): ClientAppearance {
  return parseRow('appearance of the client', row.clientId, () => ({
    ...toDetailColumns(row as AppearanceDetails),
    logo: logoFactsOf(row),
  }));
}

export function toAppearanceEntryRow({ clientId, details, logo }: ClientAppearanceEntry): AppearanceRow {
  return { clientId, ...toDetailColumns(details), ...toLogoColumns(logo) };
}

export function fromAppearanceEntryRow(row: AppearanceRow): ClientAppearanceEntry {
  return parseRow('appearance of the client', row.clientId, () => {
    const { clientId, logo: content } = row;
    const facts = logoFactsOf(row);
    return {
      clientId,
      details: toDetailColumns(row),
      logo: facts === null || content === null ? null : { ...facts, content: new Uint8Array(content) },
    };
  });
}

function logoFactsOf({ logoId, logoWidth, logoHeight }: Omit<AppearanceRow, 'logo'>): LogoFacts | null {
  if (logoId === null) return null;
  if (logoWidth === null || logoHeight === null) throw new Error('the logo has no size');
  return { id: logoId, width: logoWidth, height: logoHeight };
}
