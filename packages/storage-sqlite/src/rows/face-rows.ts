import type { ClientFace, FaceDetails, Logo, LogoFacts } from '@countersign/domain/clients';
import { type ClientFaceEntry, parseRow } from '@countersign/domain/storage';
import type { clientFaces } from '../face-tables.ts';

type FaceRow = typeof clientFaces.$inferSelect;

/** The columns of the details. */
export function toDetailColumns({
  displayName,
  colour,
  supportAddress,
  privacyAddress,
}: FaceDetails): Pick<FaceRow, keyof FaceDetails> {
  return { displayName, colour, supportAddress, privacyAddress };
}

/** The columns of the logo. */
export function toLogoColumns(logo: Logo | null): Pick<FaceRow, 'logoId' | 'logoWidth' | 'logoHeight' | 'logo'> {
  if (logo === null) return { logoId: null, logoWidth: null, logoHeight: null, logo: null };
  const { id, width, height, content } = logo;
  return { logoId: id, logoWidth: width, logoHeight: height, logo: Buffer.from(content) };
}

/** A row without its content. */
export function fromFaceRow(row: Omit<FaceRow, 'logo'>): ClientFace {
  return parseRow('face of the client', row.clientId, () => ({
    ...toDetailColumns(row as FaceDetails),
    logo: logoFactsOf(row),
  }));
}

export function toFaceEntryRow({ clientId, details, logo }: ClientFaceEntry): FaceRow {
  return { clientId, ...toDetailColumns(details), ...toLogoColumns(logo) };
}

export function fromFaceEntryRow(row: FaceRow): ClientFaceEntry {
  return parseRow('face of the client', row.clientId, () => {
    const { clientId, logo: content } = row;
    const facts = logoFactsOf(row);
    return {
      clientId,
      details: toDetailColumns(row),
      logo: facts === null || content === null ? null : { ...facts, content: new Uint8Array(content) },
    };
  });
}

function logoFactsOf({ logoId, logoWidth, logoHeight }: Omit<FaceRow, 'logo'>): LogoFacts | null {
  if (logoId === null) return null;
  if (logoWidth === null || logoHeight === null) throw new Error('the logo has no size');
  return { id: logoId, width: logoWidth, height: logoHeight };
}
