import { cardNetworkOf } from '../../domain/card-network.ts';
import { type Decline, mayTryAgain } from '../../domain/decline.ts';
import { limits } from '../../domain/limits.ts';
import { normaliseNetworkDecline } from '../../domain/normalise-network-decline.ts';
import type { TransactionBody } from '../../domain/payment-event.ts';

/**
 * What the issuer said when the payment first failed, from a merchant's report. A response code is
 * looked for in processor_response_code and at the start of raw_response_message; the report's
 * hard or soft mark decides where there is none, and where it is stricter than the code.
 */
export function firstDecline(transaction: TransactionBody): Decline {
  const { outcome } = transaction;
  const message = outcome.raw_response_message.slice(0, limits.messageLength);
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
    message,
    ...(networkCode === undefined ? {} : { networkCode }),
  };
}

function responseCode(outcome: TransactionBody['outcome']): string | undefined {
  const given = outcome.processor_response_code;
  const text = given === undefined ? outcome.raw_response_message : String(given);
  // ISO 8583 codes have two characters; three-digit ones are Amex's. Anything longer is a PSP's own.
  return /^\s*([0-9]{2,3}|[0-9A-Z]{2})(?![0-9A-Za-z])/.exec(text)?.[1];
}
