import { cardNetworkOf } from '../../domain/declines/card-network.ts';
import { type Decline, type DeclineStatement, mayTryAgain } from '../../domain/declines/decline.ts';
import { normaliseDecline } from '../../domain/declines/normalise-decline.ts';
import { ownCodeRow } from '../../domain/declines/psp-statements.ts';
import { debitReason, mayPresentAgain } from '../../domain/network-rules/debit-reason.ts';
import { isOtherDebit, ruledNetworkOf } from '../../domain/network-rules/ruled-network.ts';
import type { TransactionBody } from '../../domain/payment-event.ts';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';

type Outcome = TransactionBody['outcome'];
type Reported = Pick<TransactionBody, 'psp' | 'scheme' | 'outcome'>;
type Failed = Reported & Pick<TransactionBody, 'psp_transaction_created_at'>;

/**
 * What the issuer said when the payment first failed, from a merchant's report. The PSP's own code
 * is looked for in processor_response_code, psp_response_message and raw_response_message; the
 * network's response code in processor_response_code, unless that is the PSP's own, then at the
 * start of raw_response_message. The report's hard or soft mark decides where there is neither, and
 * where it is stricter than they are; so does the reason of a bank debit that its scheme lets nobody present again.
 */
export function firstDecline(transaction: Failed): Decline {
  const { outcome, psp } = transaction;
  const network = cardNetworkOf(transaction.scheme);
  const networkCode = responseCode(transaction);
  const pspCode = ownCode(psp, outcome);
  const pspCategory = outcome.response_type ?? outcome.network_status;
  const decline = normaliseDecline({
    psp,
    message: outcome.raw_response_message,
    ...present({ network, networkCode, pspCode, pspCategory }),
  });
  if (!mayTryAgain(decline.category)) return decline;
  const stricter = stricterWord(transaction);
  return stricter === undefined ? decline : withWord(decline, stricter);
}

/** A hard decline says that this card will not do as it is: it needs new data. */
const hardMark = { source: 'psp_category', said: 'hard_decline', category: 'fix_data' } as const;

function stricterWord(transaction: Failed): DeclineStatement | undefined {
  const { scheme, outcome, psp_transaction_created_at: createdAt } = transaction;
  const network = ruledNetworkOf(scheme);
  const reason = debitReasonOf(transaction);
  if (reason !== undefined && !mayPresentAgain(network, reason, new Date(createdAt))) {
    return { source: 'network_code', said: reason, category: 'fix_data' };
  }
  return outcome.response_type === 'hard_decline' ? hardMark : undefined;
}

function withWord({ waitMs: _waitMs, ...decline }: Decline, word: DeclineStatement): Decline {
  const others = (decline.sources ?? []).filter((item) => item.source !== word.source);
  return { ...decline, category: word.category, sources: [word, ...others] };
}

/** The issuer's response code of a report, or the reason of a bank debit, where it has one. */
export function responseCode({ psp, scheme, outcome }: Reported): string | undefined {
  const given = String(outcome.processor_response_code ?? '');
  const raw = outcome.raw_response_message;
  const reason = debitReasonOf({ scheme, outcome });
  if (reason !== undefined || isOtherDebit(scheme)) return reason;
  const fromCode = ownCodeRow(psp, given) === undefined ? codeAtStart(given) : undefined;
  return fromCode ?? codeAtStart(raw);
}

function debitReasonOf({
  scheme,
  outcome,
}: Pick<Reported, 'scheme' | 'outcome'>): string | undefined {
  const given = String(outcome.processor_response_code ?? '');
  const { psp_response_message: words = '', raw_response_message: raw } = outcome;
  return debitReason(ruledNetworkOf(scheme), [given, raw, words]);
}

/** The first text that the PSP's tables know, whole or by the code that it begins with. */
function ownCode(psp: Psp, outcome: Outcome): string | undefined {
  const { processor_response_code: given, psp_response_message: pspMessage } = outcome;
  const raw = outcome.raw_response_message;
  const candidates = [
    ...(given === undefined ? [] : [String(given)]),
    ...(pspMessage === undefined ? [] : [pspMessage, leadingCode(pspMessage)]),
    // What begins with a response code there is the issuer's word, not the PSP's.
    ...(codeAtStart(raw) === undefined ? [raw, leadingCode(raw)] : []),
  ];
  return candidates.find((text) => ownCodeRow(psp, text) !== undefined)?.trim();
}

/** A number, or a word before a colon or a dash: the first word of a sentence is no code. */
function leadingCode(text: string): string {
  return /^\s*(\d+(?![0-9A-Za-z])|[0-9A-Za-z_]+(?=\s*[:-]))/.exec(text)?.[1] ?? '';
}

/**
 * ISO 8583 codes have two characters, a digit among them; three digits are Amex's. Anything longer is
 * a PSP's own, and two letters begin a sentence.
 */
function codeAtStart(text: string): string | undefined {
  return /^\s*([0-9]{2,3}|[0-9][A-Z]|[A-Z][0-9])(?![0-9A-Za-z])/.exec(text)?.[1];
}
