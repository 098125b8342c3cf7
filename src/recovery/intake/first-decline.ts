import { cardNetworkOf } from '../../domain/declines/card-network.ts';
import { type Decline, mayTryAgain } from '../../domain/declines/decline.ts';
import { normaliseDecline } from '../../domain/declines/normalise-decline.ts';
import type { TransactionBody } from '../../domain/payment-event.ts';

/**
 * What the issuer said when the payment first failed, from a merchant's report. A response code is
 * looked for in processor_response_code, then at the start of raw_response_message; the report's
 * hard or soft mark decides where there is none, and where it is stricter than the code.
 */
export function firstDecline(transaction: TransactionBody): Decline {
  const { outcome, psp } = transaction;
  const networkCode = responseCode(outcome);
  const network = cardNetworkOf(transaction.scheme);
  const pspCategory = outcome.response_type;
  const judged = normaliseDecline({
    psp,
    message: outcome.raw_response_message,
    ...(network !== undefined && { network }),
    ...(networkCode !== undefined && { networkCode }),
    ...(pspCategory !== undefined && { pspCategory }),
  });
  // A hard decline says that this card will not do as it is: it needs new data.
  if (pspCategory !== 'hard_decline' || !mayTryAgain(judged.category)) return judged;
  return { ...judged, category: 'fix_data' };
}

function responseCode(outcome: TransactionBody['outcome']): string | undefined {
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
