/** ISO 3166-1: alpha-3, as machine-readable zones write a country, and alpha-2. */
const COUNTRIES = `
  ABW AW AFG AF AGO AO AIA AI ALA AX ALB AL AND AD ARE AE ARG AR ARM AM ASM AS ATA AQ ATF TF ATG AG AUS AU AUT AT
  AZE AZ BDI BI BEL BE BEN BJ BES BQ BFA BF BGD BD BGR BG BHR BH BHS BS BIH BA BLM BL BLR BY BLZ BZ BMU BM BOL BO
  BRA BR BRB BB BRN BN BTN BT BVT BV BWA BW CAF CF CAN CA CCK CC CHE CH CHL CL CHN CN CIV CI CMR CM COD CD COG CG
  COK CK COL CO COM KM CPV CV CRI CR CUB CU CUW CW CXR CX CYM KY CYP CY CZE CZ DEU DE DJI DJ DMA DM DNK DK DOM DO
  DZA DZ ECU EC EGY EG ERI ER ESH EH ESP ES EST EE ETH ET FIN FI FJI FJ FLK FK FRA FR FRO FO FSM FM GAB GA GBR GB
  GEO GE GGY GG GHA GH GIB GI GIN GN GLP GP GMB GM GNB GW GNQ GQ GRC GR GRD GD GRL GL GTM GT GUF GF GUM GU GUY GY
  HKG HK HMD HM HND HN HRV HR HTI HT HUN HU IDN ID IMN IM IND IN IOT IO IRL IE IRN IR IRQ IQ ISL IS ISR IL ITA IT
  JAM JM JEY JE JOR JO JPN JP KAZ KZ KEN KE KGZ KG KHM KH KIR KI KNA KN KOR KR KWT KW LAO LA LBN LB LBR LR LBY LY
  LCA LC LIE LI LKA LK LSO LS LTU LT LUX LU LVA LV MAC MO MAF MF MAR MA MCO MC MDA MD MDG MG MDV MV MEX MX MHL MH
  MKD MK MLI ML MLT MT MMR MM MNE ME MNG MN MNP MP MOZ MZ MRT MR MSR MS MTQ MQ MUS MU MWI MW MYS MY MYT YT NAM NA
  NCL NC NER NE NFK NF NGA NG NIC NI NIU NU NLD NL NOR NO NPL NP NRU NR NZL NZ OMN OM PAK PK PAN PA PCN PN PER PE
  PHL PH PLW PW PNG PG POL PL PRI PR PRK KP PRT PT PRY PY PSE PS PYF PF QAT QA REU RE ROU RO RUS RU RWA RW SAU SA
  SDN SD SEN SN SGP SG SGS GS SHN SH SJM SJ SLB SB SLE SL SLV SV SMR SM SOM SO SPM PM SRB RS SSD SS STP ST SUR SR
  SVK SK SVN SI SWE SE SWZ SZ SXM SX SYC SC SYR SY TCA TC TCD TD TGO TG THA TH TJK TJ TKL TK TKM TM TLS TL TON TO
  TTO TT TUN TN TUR TR TUV TV TWN TW TZA TZ UGA UG UKR UA UMI UM URY UY USA US UZB UZ VAT VA VCT VC VEN VE VGB VG
  VIR VI VNM VN VUT VU WLF WF WSM WS YEM YE ZAF ZA ZMB ZM ZWE ZW
`;

/** The codes that ICAO 9303 part 3 adds, with the alpha-2 of those that stand for one country; UTO is the state of its specimens. */
const ADDED =
  'D:DE EUE GBD:GB GBN:GB GBO:GB GBP:GB GBS:GB RKS UNA UNK UNO UTO XBA XCC XCE XCO XCT XDC XEC XES XIM XMP XOM XPO ' +
  'XXA XXB XXC XXX';

/** The alpha-2 of each code; undefined for organisations, specimens, and people without a state. */
const ALPHA_2 = new Map<string, string | undefined>([
  ...[...COUNTRIES.matchAll(/([A-Z]{3}) ([A-Z]{2})/g)].map(([, code = '', alpha2]) => [code, alpha2] as const),
  ...ADDED.split(' ').map((entry) => {
    const [code = '', alpha2] = entry.split(':');
    return [code, alpha2] as const;
  }),
]);

/** Whether a code of the machine-readable zone, without its fillers, names a state or an organisation that issues. */
export function isStateCode(code: string): boolean {
  return ALPHA_2.has(code);
}

/**
 * Returns the country of a code of a machine-readable zone, in ISO 3166-1 alpha-2; undefined for organisations, specimens, and people
 * without a state.
 * @example countryOf('D') // 'DE'
 */
export function countryOf(code: string): string | undefined {
  return ALPHA_2.get(code);
}

export function stateCodes(): string[] {
  return [...ALPHA_2.keys()];
}
