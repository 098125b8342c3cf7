import { type PspDeclines, row } from '../../declines/psp-decline-rows.ts';

/**
 * Worldpay's raw codes. Those of one or two digits are the network's response codes, read by the
 * network's table unless a row stands here; those of three digits are Worldpay's own, the first
 * four of them of its gateway, the others of its US platform (CNP API).
 */
export const worldpayDeclines: PspDeclines = {
  source:
    'Worldpay, CNP API: payment transaction response codes; raw codes of its gateway as gov.uk Pay lists them (alphagov/pay-connector)',
  restByNetworkCode: true,
  codes: {
    34: row(
      'later',
      'Suspected fraud',
      'Worldpay and gov.uk Pay retry it, as 59; a network that says 34 itself wants the card back.',
    ),
    835: row('fix_data', 'Wrong security code'),
    972: row('never', 'The payer stopped this payment at the bank'),
    973: row('never', 'The payer revoked this subscription at the bank'),
    975: row('never', 'The payer revoked every payment to the seller'),

    100: row('technical', 'The network does not answer'),
    101: row('technical', 'The issuer does not answer'),
    102: row('technical', 'To be sent again'),
    103: row('review', 'Merchant not set up for this site'),
    108: row('technical', 'Try again later'),
    110: row('later', 'Not sufficient funds'),
    120: row('later', 'The issuer asks for a call'),
    121: row('later', 'Amex asks for a call'),
    301: row('never', 'Wrong card number'),
    302: row('fix_data', 'Card number does not match the method'),
    303: row('never', 'Pick up card'),
    304: row('never', 'Lost or stolen card'),
    305: row('fix_data', 'Expired card', 'A later date alone cures nothing; new data may.'),
    307: row('later', 'Restricted card', 'Visa category 2 (code 62); Worldpay calls it hard.'),
    308: row('never', 'Restricted card: an earlier chargeback'),
    309: row('review', "Seller's filter: prepaid card"),
    312: row('review', "Seller's filter: foreign card"),
    315: row('review', "Seller's filter: frequency"),
    318: row('review', "Seller's filter: advice of fraud"),
    320: row('fix_data', 'Wrong date of expiry'),
    321: row('review', 'Card not for this kind of merchant'),
    322: row('never', 'Invalid transaction'),
    323: row('never', 'No such issuer'),
    324: row('fix_data', 'Wrong PIN'),
    325: row('review', 'Not allowed at this terminal'),
    326: row('later', 'PIN tries exceeded'),
    327: row('never', 'Not permitted to the cardholder', "The network's 57."),
    328: row('never', 'The payer asked for recurring payments to be stopped'),
    330: row('review', 'Kind of payment not accepted'),
    340: row('review', 'Wrong amount'),
    349: row(
      'later',
      'Do not honour',
      'Soft at Worldpay and in Visa category 4: it is often approved later.',
    ),
    350: row('later', 'No reason given', 'Hard at Worldpay; networks count it as generic.'),
    351: row('customer_action', 'Card has to be present'),
    352: row('fix_data', 'Wrong security code'),
    354: row('review', 'Merchant has no 3-D Secure'),
    356: row('review', 'Wrong level 3 data'),
    358: row('fix_data', 'Wrong security code'),
    370: row('technical', 'An error at Worldpay'),
    372: {
      ...row('review', 'Worldpay retries it itself', 'A second retrier may charge twice.'),
      blocks: 'always',
    },
    373: {
      ...row(
        'never',
        "Worldpay's own retries have ended",
        'It does not reach the issuer any more.',
      ),
      blocks: 'always',
    },
    820: row('never', 'Wrong card number'),
    821: row('review', 'Merchant has no tokens'),
    822: row('fix_data', 'Token not found'),
    898: row('technical', 'An error while a token was stored'),
    899: row('technical', 'An error while a token was used'),
  },
};
