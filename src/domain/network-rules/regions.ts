/** The regions that Visa divides the world into. */
export type VisaRegion = 'asia_pacific' | 'canada' | 'cemea' | 'europe' | 'latin_america' | 'us';

/** The countries of the European Economic Area, whose Mastercard fees are in euros. */
const economicArea = countries(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK',
);

const europe = countries('AD CH FO GB GG GI GL IL IM JE MC SJ SM TR VA');
const cemea = countries(
  'AE AF AL AM AO AZ BA BF BH BI BJ BW BY CD CF CG CI CM CV DJ DZ EG ER ET GA GE GH GM GN GQ GW IQ JO KE KG KM KW KZ LB LR LS LY MA MD ME MG MK ML MR MU MW MZ NA NE NG OM PK PS QA RE RS RU RW SA SC SD SL SN SO SS ST SZ TD TG TJ TM TN TZ UA UG UZ XK YE YT ZA ZM ZW',
);
const latinAmerica = countries(
  'AG AI AR AW BB BM BO BQ BR BS BZ CL CO CR CU CW DM DO EC FK GD GF GP GT GY HN HT JM KN KY LC MQ MS MX NI PA PE PR PY SR SV SX TC TT UY VC VE VG VI',
);

/**
 * The region of a country. Nothing is forbidden by it: it chooses which fee is estimated and how the
 * codes 70 and 1A are read. Source: the regions as Visa names them to merchants.
 */
export function visaRegionOf(country: string): VisaRegion {
  if (country === 'US') return 'us';
  if (country === 'CA') return 'canada';
  if (economicArea.has(country) || europe.has(country)) return 'europe';
  if (cemea.has(country)) return 'cemea';
  return latinAmerica.has(country) ? 'latin_america' : 'asia_pacific';
}

/** The regions that Mastercard's fees are told for. */
export type FeeRegion = 'brazil' | 'economic_area' | 'europe_other' | 'north_america' | 'other';

/** The fee region of an acquirer's country; `other` where it is not known. */
export function feeRegionOf(country: string | undefined): FeeRegion {
  if (country === undefined) return 'other';
  if (country === 'BR') return 'brazil';
  if (country === 'US' || country === 'CA') return 'north_america';
  if (economicArea.has(country) || country === 'GB') return 'economic_area';
  return visaRegionOf(country) === 'europe' ? 'europe_other' : 'other';
}

function countries(codes: string): ReadonlySet<string> {
  return new Set(codes.split(' '));
}
