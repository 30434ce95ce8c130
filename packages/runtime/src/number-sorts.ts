/** Which of the library's validators say whether a number is of a kind. Any of them will do. */
export interface NumberSorts {
  readonly nationalId?: readonly string[];
  readonly taxId?: readonly string[];
  readonly vatNumber?: readonly string[];
  readonly registrationNumber?: readonly string[];
}

/**
 * Countries and kinds for which "does not fit" can be said: all numbers that people of that country would give there are
 * known to the library. What is left out is unknown on purpose: Germany has no national number and its register gives
 * numbers without check digits (`HRB 12345`), Hungary's and Malta's tax numbers are not the VAT numbers that the library
 * knows, Poland's register number (KRS) has no check digits, nor have Latvia's personal codes since 2017.
 */
export const NUMBER_SORTS: Readonly<Record<string, NumberSorts>> = {
  AT: { taxId: ['tin', 'uid'], vatNumber: ['uid'], registrationNumber: ['businessid'] },
  AU: { taxId: ['abn', 'acn', 'tfn'], registrationNumber: ['abn', 'acn'] },
  BA: { nationalId: ['jmbg'] },
  BE: { nationalId: ['nn', 'insz', 'bis'], taxId: ['vat'], vatNumber: ['vat'], registrationNumber: ['vat'] },
  BG: { nationalId: ['egn', 'pnf'], taxId: ['vat'], vatNumber: ['vat'] },
  BR: { nationalId: ['cpf'], taxId: ['cnpj'], registrationNumber: ['cnpj'] },
  CA: { taxId: ['bn'] },
  CH: { nationalId: ['ssn'], taxId: ['uid', 'vat'], vatNumber: ['vat', 'uid'], registrationNumber: ['uid'] },
  CL: { nationalId: ['run'], taxId: ['rut'], registrationNumber: ['rut'] },
  CN: { nationalId: ['ric'], taxId: ['uscc'], registrationNumber: ['uscc'] },
  CY: { vatNumber: ['vat'] },
  CZ: { nationalId: ['rc'], taxId: ['dic'], vatNumber: ['dic'] },
  DE: { taxId: ['stnr', 'vat', 'idnr'], vatNumber: ['vat'] },
  DK: { nationalId: ['cpr'], taxId: ['cvr'], vatNumber: ['cvr'], registrationNumber: ['cvr'] },
  DO: { nationalId: ['cedula'], taxId: ['rnc'] },
  EC: { nationalId: ['ci'], taxId: ['ruc'], registrationNumber: ['ruc'] },
  EE: {
    nationalId: ['ik'],
    taxId: ['registrikood', 'kmkr'],
    vatNumber: ['kmkr'],
    registrationNumber: ['registrikood'],
  },
  ES: { nationalId: ['dni', 'nie'], taxId: ['nif', 'cif'], vatNumber: ['nif'] },
  FI: { nationalId: ['hetu'], taxId: ['ytunnus', 'alv'], vatNumber: ['alv'], registrationNumber: ['ytunnus'] },
  FR: {
    nationalId: ['nir', 'nif'],
    taxId: ['siren', 'siret', 'tva'],
    vatNumber: ['tva'],
    registrationNumber: ['siren', 'siret'],
  },
  GB: { nationalId: ['nino', 'utr'], taxId: ['utr', 'vat'], vatNumber: ['vat'] },
  GR: { nationalId: ['amka', 'vat'], taxId: ['vat'], vatNumber: ['vat'] },
  HR: { nationalId: ['oib'], taxId: ['oib'], vatNumber: ['oib'] },
  HU: { vatNumber: ['anum'] },
  IE: { nationalId: ['pps'], taxId: ['vat'], vatNumber: ['vat'] },
  IL: { nationalId: ['idnr'], registrationNumber: ['hp'] },
  IN: { nationalId: ['aadhaar', 'pan', 'epic', 'vid'], taxId: ['pan', 'gstin'] },
  IS: { nationalId: ['kennitala'], taxId: ['kennitala'], vatNumber: ['vsk'], registrationNumber: ['kennitala'] },
  IT: { nationalId: ['codicefiscale'], taxId: ['iva', 'codicefiscale'], vatNumber: ['iva'] },
  JP: { taxId: ['cn'], registrationNumber: ['cn'] },
  KR: { nationalId: ['rrn'], taxId: ['brn'] },
  LK: { nationalId: ['nic'] },
  LT: { nationalId: ['asmens'], vatNumber: ['pvm'] },
  LU: { vatNumber: ['tva'] },
  LV: { taxId: ['pvn'], vatNumber: ['pvn'] },
  ME: { nationalId: ['jmbg'] },
  MK: { nationalId: ['jmbg'] },
  MT: { vatNumber: ['vat'] },
  MX: { nationalId: ['curp', 'rfc'], taxId: ['rfc'] },
  MY: { nationalId: ['nric'] },
  NL: { nationalId: ['bsn'], taxId: ['bsn', 'btw'], vatNumber: ['btw'] },
  NO: {
    nationalId: ['fodselsnummer'],
    taxId: ['orgnr', 'mva'],
    vatNumber: ['mva', 'orgnr'],
    registrationNumber: ['orgnr'],
  },
  PE: { nationalId: ['cui'], taxId: ['ruc'], registrationNumber: ['ruc'] },
  PL: { nationalId: ['pesel'], taxId: ['nip'], vatNumber: ['nip'] },
  PT: { nationalId: ['cc', 'nif'], taxId: ['nif', 'nipc'], vatNumber: ['nif', 'nipc'] },
  RO: {
    nationalId: ['cnp'],
    taxId: ['cui', 'cif'],
    vatNumber: ['cif', 'cui'],
    registrationNumber: ['onrc', 'cui'],
  },
  RS: { nationalId: ['jmbg'], taxId: ['pib'], vatNumber: ['pib'] },
  SE: { nationalId: ['personnummer'], taxId: ['orgnr', 'vat'], vatNumber: ['vat'], registrationNumber: ['orgnr'] },
  SG: { taxId: ['uen'], registrationNumber: ['uen'] },
  SI: { nationalId: ['jmbg'], taxId: ['ddv'], vatNumber: ['ddv'] },
  SK: { nationalId: ['rc'], taxId: ['dph'], vatNumber: ['dph'] },
  TH: { nationalId: ['idnr'], taxId: ['tin'] },
  TR: { nationalId: ['tckimlik'], taxId: ['vkn', 'tckimlik'] },
  TW: { nationalId: ['natid'], taxId: ['ubn'], registrationNumber: ['ubn'] },
  UA: { nationalId: ['rntrc'], registrationNumber: ['edrpou'] },
  US: { nationalId: ['ssn'], taxId: ['ein'] },
  ZA: { nationalId: ['idnr'], taxId: ['tin'], vatNumber: ['vat'] },
};
