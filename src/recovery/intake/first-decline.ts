import { cardNetworkOf } from '../../domain/card-network.ts';
import { type Decline, mayTryAgain } from '../../domain/decline.ts';
import { normaliseNetworkDecline } from '../../domain/normalise-network-decline.ts';
import type { TransactionBody } from '../../domain/payment-event.ts';
import { keptText } from '../engine/kept-text.ts';

/**
 * What the issuer said when the payment first failed, from a merchant's report. A response code is
 * looked for in processor_response_code, then at the start of raw_response_message; the report's
 * hard or soft mark decides where there is none, and where it is stricter than the code.
 */
export function firstDecline(transaction: TransactionBody): Decline {
  const { outcome } = transaction;
  const networkCode = responseCode(outcome);
  const network = cardNetworkOf(transaction.scheme);
  const judged =
    networkCode === undefined
      ? { category: 'later' as const }
      : normaliseNetworkDecline({ networkCode, ...(network === undefined ? {} : { network }) });
  const isHard = outcome.response_type === 'hard_decline';
  return {
    ...judged,
    // A hard decline says that this card will not do as it is: it needs new data.
    ...(isHard && mayTryAgain(judged.category) ? { category: 'fix_data' as const } : {}),
    code: networkCode ?? outcome.response_type ?? 'unknown',
    message: keptText(outcome.raw_response_message),
    ...(networkCode === undefined ? {} : { networkCode }),
  };
}

/** The issuer's response code of a report, where it has one. */
export function responseCode(outcome: TransactionBody['outcome']): string | undefined {
  const given = outcome.processor_response_code;
  return codeAtStart(String(given ?? '')) ?? codeAtStart(outcome.raw_response_message);
}

/**
 * ISO 8583 codes have two characters, a digit among them; three digits are Amex's. Anything longer is
 * a PSP's own, and two letters begin a sentence.
 */
function codeAtStart(text: string): string | undefined {
  return /^\s*([0-9]{2,3}|[0-9][A-Z]|[A-Z][0-9])(?![0-9A-Za-z])/.exec(text)?.[1];
}
