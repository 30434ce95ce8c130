export { checkDigit } from './mrz/check-digit.ts';
export { FORMATS, type Format, type FormatName } from './mrz/formats.ts';
export { type MrzChecks, type MrzFields, type ParsedMrz, parseMrz } from './mrz/parse.ts';
export { createNetworks, type Networks } from './network/networks.ts';
export type { DescribedLayer } from './network/weights.ts';
export type { Offer, OfferedName } from './offer.ts';
export type { GreyPicture } from './picture.ts';
export { type MrzReading, type ReadOptions, readMrz } from './read-mrz.ts';
export { WEIGHTS_URL } from './weights-url.ts';
