import type { SubjectType } from '@countersign/domain';
import { PICTURE_MIN_SIDE } from '@countersign/domain/evidence';
import sharp, { type Sharp } from 'sharp';
import type { Typed } from '../pages/page-answers.ts';
import { pdf } from '../pages/pictures.ts';
import type { SubjectContent } from '../pages/subject-forms.ts';
import { READABLE_LICENCE, readableDocument } from './readable-documents.ts';
import { SHORTEST, type Trace } from './traces.ts';

/** Fields of a document whose values others may have. */
const NOT_UNIQUE: ReadonlySet<string> = new Set(['birthDate', 'expiresOn', 'issuingState', 'nationality']);

/** A subject with unique answers: any occurrence of one elsewhere is a leak. */
export interface Canaries {
  readonly type: SubjectType;
  readonly content: Required<SubjectContent>;
  /** Returns a unique note or message of a reviewer for a purpose. */
  note(purpose: string): string;
  /** Returns the traces of all answers and of the notes so far. */
  traces(): Trace[];
  /** Adds another unique content, such as the bytes of a stored picture. */
  add(trace: Trace): void;
}

/** @param n differs for each subject, below 10,000 */
export async function canariesOf(type: SubjectType, n: number): Promise<Canaries> {
  const traces: Trace[] = [];
  const add = (trace: Trace) => void traces.push({ ...trace, name: `${trace.name} of subject ${n}` });
  const typed = (name: string, text: string, trace: string = text): string => {
    add({ name, content: trace });
    return text;
  };
  const name = (field: string) => typed(field, `Zyqß-${word(n)}-${field.replaceAll(/[^a-z]/gi, '')}`);
  const text = (field: string) => typed(field, `Zyq "${n}" ß\\ä ${field}`);
  const code = (field: string) => typed(field, `ZYQ${String(n).padStart(4, '0')}${field.toUpperCase()}`);
  const email = (field: string) => typed(field, `zyq.${n}.${field.toLowerCase()}@example.org`);
  const phone = (field: string, area: string) => {
    const digits = `49${area}46091${String(n).padStart(4, '0')}`;
    return typed(field, `+${digits}`, digits);
  };
  const date = (field: string, firstDay: string): Typed => {
    const day = new Date(Date.parse(firstDay) + n * 86_400_000).toISOString().slice(0, 10);
    add({ name: field, content: day });
    const [year = '', month = '', dayOfMonth = ''] = day.split('-');
    return { [`${field}.year`]: year, [`${field}.month`]: month, [`${field}.day`]: dayOfMonth };
  };
  const address = (prefix: string): Typed => ({
    [`${prefix}line1`]: text(`${prefix}line1`),
    [`${prefix}line2`]: text(`${prefix}line2`),
    [`${prefix}postalCode`]: code(`${prefix.slice(0, 2)}post`),
    [`${prefix}city`]: text(`${prefix}city`),
    [`${prefix}region`]: text(`${prefix}region`),
    // Has no postal codes of its own, so that it accepts any.
    [`${prefix}country`]: 'HK',
  });
  const person = (row: string, born: string): Typed => ({
    [`${row}.firstName`]: name(`${row}First`),
    [`${row}.lastName`]: name(`${row}Last`),
    ...date(`${row}.dateOfBirth`, born),
    [`${row}.nationality`]: 'US',
  });
  // Few subjects have a document with a back, because decoding pictures is slow.
  const kind = new Map([
    [0, 'driving_licence'],
    [4, 'id_card'],
  ]).get(n % 8);
  const isLicence = kind === 'driving_licence';
  const document = (prefix: string): Record<string, Typed> => ({
    document: { [`${prefix}type`]: kind ?? 'passport', [`${prefix}issuingCountry`]: isLicence ? 'US' : 'PL' },
    'document-details': {
      [`${prefix}number`]: code('document'),
      ...date(`${prefix}expiresOn`, '2041-01-01'),
    },
  });
  const accepted = { accepted: 'true' };

  const answers: Record<string, Typed> =
    type === 'kyc'
      ? {
          consent: accepted,
          name: { firstName: name('first'), middleNames: name('middle'), lastName: name('last') },
          birth: {
            ...date('dateOfBirth', '1931-01-01'),
            'placeOfBirth.city': text('birthplace'),
            'placeOfBirth.country': 'PL',
          },
          nationality: { 'nationalities.0': 'PL', nationalIdNumber: code('national') },
          contact: { email: email('own'), phone: phone('phone', '151') },
          address: address(''),
          ...document(''),
          check: accepted,
        }
      : {
          consent: accepted,
          'your-details': {
            'representative.firstName': name('repFirst'),
            'representative.lastName': name('repLast'),
            'representative.role': text('role'),
            'representative.email': email('rep'),
            'representative.phone': phone('repPhone', '152'),
          },
          business: { legalName: text('legalName'), legalForm: text('legalForm'), tradingNames: text('trading') },
          registration: {
            countryOfIncorporation: 'DE',
            registrationNumber: code('register'),
            ...date('incorporatedOn', '1871-01-01'),
          },
          numbers: {
            taxId: code('tax'),
            vatNumber: code('vat'),
            lei: typed('lei', leiOf(`ZYQ${String(n).padStart(15, '0')}`)),
          },
          activity: {
            activity: text('activity'),
            website: typed('website', `https://zyq-${n}.example.org/`, `zyq-${n}.example.org`),
          },
          'registered-address': address('registered.'),
          'operating-address': { 'operating-choice': 'other', ...address('operating.') },
          directors: person('directors.0', '1945-01-01'),
          owners: {
            ...person('beneficialOwners.0', '1957-01-01'),
            'beneficialOwners.0.ownershipPercent': '75',
            'beneficialOwners.0.controlType': 'direct_shares',
            'beneficialOwners.0.country': 'DE',
          },
          ...document('document.'),
          check: accepted,
        };

  const [words, place] = [typed('EXIF', `Zyq-${n} picture taken of ß`), typed('GPS', `Zyq-${n} taken here`)];
  const picture = await pictureSaying(plainPicture(n), words, place);
  const { picture: drawn, fields } = readableDocument(n);
  const documentPicture = await pictureSaying(isLicence ? READABLE_LICENCE.picture() : sharp(drawn), words, place);
  for (const [field, content] of Object.entries(isLicence ? READABLE_LICENCE.unique : fields)) {
    if (!NOT_UNIQUE.has(field) && content.length >= SHORTEST) add({ name: `read ${field}`, content });
  }
  const paper = pdf(typed('PDF', `Zyq-${n}-letter`));

  return {
    type,
    content: {
      answers,
      file(slug) {
        const isPicture = /selfie|document/.test(slug);
        const isRead = isLicence ? slug === 'document-back' : /document-(?:front|back)/.test(slug);
        const shown = isRead ? documentPicture : picture;
        const [content, ending] = isPicture ? [shown, 'jpg'] : [paper, 'pdf'];
        return new File([new Uint8Array(content)], typed('file name', `Zyq-${n}-${slug} ß.${ending}`));
      },
    },
    note: (purpose) => text(`note ${purpose}`),
    traces: () => traces,
    add,
  };
}

/** Creates a small picture of its own colours. */
function plainPicture(n: number): Sharp {
  const background = { r: (n * 37) % 256, g: (n * 101) % 256, b: 207 };
  return sharp({ create: { width: PICTURE_MIN_SIDE, height: PICTURE_MIN_SIDE, channels: 3, background } });
}

/** Adds personal data to the EXIF of a picture: a description, and a text and a position in its GPS data. */
function pictureSaying(picture: Sharp, words: string, place: string): Promise<Buffer> {
  return picture
    .withExif({
      IFD0: { ImageDescription: words, Artist: words, Copyright: words },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSMapDatum: place },
    })
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Writes a number in letters, because names have no digits. */
function word(n: number): string {
  return [...String(n).padStart(4, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

/** Builds an LEI (ISO 17442): 18 characters and two check digits (ISO 7064, MOD 97-10). */
function leiOf(first: string): string {
  const digits = [...`${first}00`].map((character) => Number.parseInt(character, 36)).join('');
  return first + String(98n - (BigInt(digits) % 97n)).padStart(2, '0');
}
