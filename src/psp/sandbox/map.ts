import { cardNetworks } from '../../domain/declines/decline-codes.ts';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import type {
  ChargeRequest,
  ChargeResult,
  CredentialsCheck,
  LookUpRequest,
  LookUpResult,
} from '../../recovery/psp-ports.ts';
import { type Fields, fieldsOf, idOf, parsedFields, retryAfterMs } from '../answer-fields.ts';
import { notMade, requestRefused } from '../charge-results.ts';
import type { Exchange } from '../exchange.ts';
import { sandboxDecline } from './declines.ts';

type Definite = Extract<ChargeResult, { kind: 'succeeded' | 'declined' }>;

/** A refusal before the ledger: with these the sandbox promises that nothing was made. */
const refusals: readonly number[] = [400, 401, 403, 404, 405, 413, 415, 429];

/** The body of a charge. It holds the card verification number: it goes to the socket alone. */
export function chargeBody(request: ChargeRequest): string {
  const { token } = request;
  return JSON.stringify({
    merchant: request.merchantId,
    invoice: request.invoiceId,
    amount: request.amountMinor,
    currency: request.currency,
    payment_method: request.paymentMethodId,
    customer: request.pspCustomerId,
    network_transaction_id: request.networkTransactionId,
    metadata: request.metadata,
    billing_address: request.billingAddress,
    token: token && {
      id: token.id,
      expiration_month: token.expirationMonth,
      expiration_year: token.expirationYear,
      card_validation_number: token.cardCode?.reveal(),
    },
  });
}

/** What a charge came to. Everything that is not certain is `unknown`. */
export function chargeResult(sent: Exchange, idempotencyKey: string): ChargeResult {
  if (sent.kind === 'not_sent') return notMade(sent.reason);
  if (sent.kind === 'lost') return { kind: 'unknown', reason: sent.reason };
  const body = parsedFields(sent.text);
  if (sent.status === 200 || sent.status === 402) {
    return definiteCharge(body, idempotencyKey) ?? malformed(sent.status);
  }
  const error = fieldsOf(body?.error);
  const reason = refusalReason(sent.status, error);
  // The sandbox says `unavailable` before it looks at a charge; another 503 may come from anywhere.
  const isDown = sent.status === 503 && error?.type === 'unavailable';
  if (!isDown && !refusals.includes(sent.status)) return { kind: 'unknown', reason };
  const waitMs = retryAfterMs(sent.headers);
  const refused = sent.status === 400 ? requestRefused(reason) : notMade(reason);
  return { ...refused, ...present({ retryAfterMs: waitMs }) };
}

/** What the sandbox's record says about a charge whose answer was lost. */
export function lookUpResult(sent: Exchange, request: LookUpRequest): LookUpResult {
  if (sent.kind !== 'answered') return { kind: 'unknown', reason: sent.reason };
  const body = parsedFields(sent.text);
  if (sent.status !== 200) {
    return { kind: 'unknown', reason: refusalReason(sent.status, fieldsOf(body?.error)) };
  }
  const found = body?.data;
  if (!Array.isArray(found)) return malformed(sent.status);
  if (found.length === 0) return { kind: 'not_found' };
  return definiteCharge(fieldsOf(found[0]), request.idempotencyKey) ?? malformed(sent.status);
}

/** Whether the sandbox answered a look-up: nothing else of it needs the key. */
export function credentialsResult(sent: Exchange): CredentialsCheck {
  if (sent.kind !== 'answered') return { kind: 'unreachable', reason: sent.reason };
  if (sent.status === 200) return { kind: 'accepted', account: 'sandbox' };
  const reason = refusalReason(sent.status, fieldsOf(parsedFields(sent.text)?.error));
  return sent.status === 401 ? { kind: 'refused', reason } : { kind: 'unreachable', reason };
}

/** A charge that names our key, so that no crossed answer can resolve another charge. */
function definiteCharge(charge: Fields | undefined, idempotencyKey: string): Definite | undefined {
  const pspTransactionId = idOf(charge?.id);
  if (charge === undefined || pspTransactionId === undefined) return undefined;
  if (charge.idempotency_key !== idempotencyKey) return undefined;
  const networkTransactionId = idOf(charge.network_transaction_id);
  const { amount, currency } = charge;
  const ids = {
    pspTransactionId,
    ...(networkTransactionId && { networkTransactionId }),
    ...(typeof amount === 'number' &&
      typeof currency === 'string' && {
        told: { amountMinor: amount, currency, isLive: false },
      }),
  };
  if (charge.status === 'succeeded') return { kind: 'succeeded', ...ids };
  const error = fieldsOf(charge.error);
  if (charge.status !== 'declined' || error === undefined) return undefined;
  const network = cardNetworks.find((known) => known === charge.network);
  const code = idOf(error.code);
  const networkCode = idOf(error.network_code);
  if (code === undefined || networkCode === undefined) return undefined;
  const adviceCode = idOf(error.advice_code);
  const decline = sandboxDecline({
    code,
    networkCode,
    ...present({ adviceCode, network }),
    ...(typeof error.message === 'string' && { message: error.message }),
  });
  return { kind: 'declined', ...ids, decline };
}

function malformed(status: number): { readonly kind: 'unknown'; readonly reason: string } {
  return { kind: 'unknown', reason: `HTTP ${status} with an answer that cannot be understood` };
}

function refusalReason(status: number, error: Fields | undefined): string {
  const words = typeof error?.message === 'string' ? `: ${error.message}` : '';
  return `HTTP ${status}${words}`.slice(0, limits.messageLength);
}
