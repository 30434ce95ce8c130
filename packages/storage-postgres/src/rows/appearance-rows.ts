import type { AppearanceDetails, ClientAppearance, Logo, LogoFacts } from '@countersign/domain/clients';
import { type ClientAppearanceEntry, parseRow } from '@countersign/domain/storage';
import type { Value } from '../connection/statement.ts';
import type { clientFaces } from '../schema.ts';
import { parseInteger, parseText, parseTextOrNull, type Row } from './parse-row.ts';

type AppearanceColumns = { [K in keyof typeof clientFaces.$inferSelect]: Value };

/** The columns of the details. */
export function toDetailColumns({
  displayName,
  colour,
  supportAddress,
  privacyAddress,
}: AppearanceDetails): Pick<AppearanceColumns, keyof AppearanceDetails> {
  return { displayName, colour, supportAddress, privacyAddress };
}

/** The columns of the logo. */
export function toLogoColumns(
  logo: Logo | null,
): Pick<AppearanceColumns, 'logoId' | 'logoWidth' | 'logoHeight' | 'logo'> {
  if (logo === null) return { logoId: null, logoWidth: null, logoHeight: null, logo: null };
  const { id, width, height, content } = logo;
  return {
    logoId: `\\x${id}`,
    logoWidth: width,
    logoHeight: height,
    logo: `\\x${Buffer.from(content).toString('hex')}`,
  };
}

/** Columns in the order of the schema. The content may be absent. */
export function fromAppearanceRow(row: Row): ClientAppearance {
  return parseRow('appearance of the client', row[0], () => ({ ...detailsOf(row), logo: logoFactsOf(row) }));
}

export function toAppearanceEntryRow({ clientId, details, logo }: ClientAppearanceEntry): AppearanceColumns {
  return { clientId, ...toDetailColumns(details), ...toLogoColumns(logo) };
}

/** Columns in the order of the schema. */
export function fromAppearanceEntryRow(row: Row): ClientAppearanceEntry {
  return parseRow('appearance of the client', row[0], () => {
    const facts = logoFactsOf(row);
    return {
      clientId: parseText('client_id', row[0]),
      details: detailsOf(row),
      logo: facts && { ...facts, content: parseContent(row[8]) },
    };
  });
}

/** Parses the hexadecimal text of a content. */
export function parseContent(value: unknown): Uint8Array {
  return new Uint8Array(Buffer.from(parseText('logo', value), 'hex'));
}

function detailsOf(row: Row): AppearanceDetails {
  return {
    displayName: parseTextOrNull('display_name', row[1]),
    colour: parseTextOrNull('colour', row[2]),
    supportAddress: parseTextOrNull('support_address', row[3]),
    privacyAddress: parseTextOrNull('privacy_address', row[4]),
  };
}

function logoFactsOf(row: Row): LogoFacts | null {
  const id = parseTextOrNull('logo_id', row[5]);
  if (id === null) return null;
  return { id, width: parseInteger('logo_width', row[6]), height: parseInteger('logo_height', row[7]) };
}
