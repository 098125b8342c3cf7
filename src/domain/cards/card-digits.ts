import { issuerRanges } from './issuer-ranges.ts';

/** Whether these digits are a card's number: of an issuer's range and length, with a right check digit. */
export function isCardNumber(digits: string, isGrouped: boolean): boolean {
  return isIssued(digits, isGrouped) && hasLuhnDigit(digits);
}

function isIssued(digits: string, isGrouped: boolean): boolean {
  return issuerRanges.some(
    ({ begin, lengths, groupedLengths }) =>
      (lengths.includes(digits.length) ||
        (isGrouped && groupedLengths?.includes(digits.length) === true)) &&
      begin.some(([from, to]) => {
        const first = Number(digits.slice(0, from.toString().length));
        return first >= from && first <= to;
      }),
  );
}

/** The check digit of ISO/IEC 7812-1, annex B (the Luhn algorithm). */
function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let place = 1; place <= digits.length; place += 1) {
    const digit = Number(digits[digits.length - place]);
    const weighed = place % 2 === 0 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}

const shortDate = /^2[3-7](?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])/;
const longDate = /^(?:22|3[01])(?:0[1-9]|1[0-2])20\d\d/;

/**
 * Whether a run of digits begins with a date in the form of an order number: YYMMDD of the years whose
 * dates lie in Mastercard's 2 series, or DDMMYYYY of the days that lie in the ranges of Mir and Diners
 * Club. One in thirty cards of the 2 series looks the same; a system that gave them for ids would
 * be refused at the next one.
 */
export function beginsWithDate(digits: string): boolean {
  return shortDate.test(digits) || longDate.test(digits);
}
