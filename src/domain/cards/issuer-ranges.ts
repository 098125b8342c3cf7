/** Numbers of one card network: how they begin, and how many digits they have. */
export interface IssuerRange {
  readonly network: string;
  /** First digits, each from and to in as many digits, both included. */
  readonly begin: readonly (readonly [from: number, to: number])[];
  /** Lengths of cards that are issued now, written without a break. */
  readonly lengths: readonly number[];
  /** Further lengths, where the digits stand in the groups of a card. */
  readonly groupedLengths?: readonly number[];
}

/**
 * The ranges of the networks (ISO/IEC 7812-1), as braintree/credit-card-type 10 lists them from the
 * networks' own publications; Mastercard's 2 series is 222100 to 272099. Left out on purpose:
 *
 * - Visa's 13 digits and Maestro's 12 to 15, 17 and 18 where they stand without a break. No issuer gives
 *   them out any more, while Shopify's ids have 13 digits and Snowflake ids 17 to 19.
 * - Ranges that begin with 8 (UnionPay's 81, RuPay's 81 and 82): Adyen's references are 16 digits and begin so.
 */
export const issuerRanges: readonly IssuerRange[] = [
  { network: 'Visa', begin: [[4, 4]], lengths: [16, 19], groupedLengths: [13] },
  {
    network: 'Mastercard',
    begin: [
      [51, 55],
      [2221, 2720],
    ],
    lengths: [16],
  },
  {
    network: 'American Express',
    begin: [
      [34, 34],
      [37, 37],
    ],
    lengths: [15],
  },
  {
    network: 'Diners Club',
    begin: [
      [300, 305],
      [3095, 3095],
      [36, 36],
      [38, 39],
    ],
    lengths: [14, 16],
    groupedLengths: [19],
  },
  {
    network: 'Discover',
    begin: [
      [6011, 6011],
      [644, 649],
      [65, 65],
    ],
    lengths: [16, 19],
  },
  { network: 'JCB', begin: [[3528, 3589]], lengths: [16, 19], groupedLengths: [17, 18] },
  { network: 'UnionPay', begin: [[62, 62]], lengths: [16, 19], groupedLengths: [17, 18] },
  {
    network: 'Maestro and the debit networks beside it',
    begin: [
      [493698, 493698],
      [50, 50],
      [56, 59],
      [63, 63],
      [67, 67],
    ],
    lengths: [16, 19],
    groupedLengths: [12, 13, 14, 15, 17, 18],
  },
  { network: 'Mir', begin: [[2200, 2204]], lengths: [16, 19], groupedLengths: [17, 18] },
  { network: 'RuPay and Hipercard', begin: [[60, 60]], lengths: [16] },
  { network: 'Troy', begin: [[9792, 9792]], lengths: [16] },
];
