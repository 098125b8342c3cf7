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
import type { Answered, Exchange } from '../exchange.ts';
import { sandboxDecline } from './declines.ts';

type Fields = Readonly<Record<string, unknown>>;
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
  if (sent.kind === 'not_sent') return { kind: 'not_made', reason: sent.reason };
  if (sent.kind === 'lost') return { kind: 'unknown', reason: sent.reason };
  const body = parsed(sent.text);
  if (sent.status === 200 || sent.status === 402) {
    return definiteCharge(body, idempotencyKey) ?? malformed(sent.status);
  }
  const error = fields(body?.error);
  const reason = refusalReason(sent.status, error);
  // The sandbox says `unavailable` before it looks at a charge; another 503 may come from anywhere.
  const isDown = sent.status === 503 && error?.type === 'unavailable';
  if (!isDown && !refusals.includes(sent.status)) return { kind: 'unknown', reason };
  const retryAfterMs = retryAfter(sent);
  return { kind: 'not_made', reason, ...present({ retryAfterMs }) };
}

/** What the sandbox's record says about a charge whose answer was lost. */
export function lookUpResult(sent: Exchange, request: LookUpRequest): LookUpResult {
  if (sent.kind !== 'answered') return { kind: 'unknown', reason: sent.reason };
  const body = parsed(sent.text);
  if (sent.status !== 200) {
    return { kind: 'unknown', reason: refusalReason(sent.status, fields(body?.error)) };
  }
  const found = body?.data;
  if (!Array.isArray(found)) return malformed(sent.status);
  if (found.length === 0) return { kind: 'not_found' };
  return definiteCharge(fields(found[0]), request.idempotencyKey) ?? malformed(sent.status);
}

/** Whether the sandbox answered a look-up: nothing else of it needs the key. */
export function credentialsResult(sent: Exchange): CredentialsCheck {
  if (sent.kind !== 'answered') return { kind: 'unreachable', reason: sent.reason };
  if (sent.status === 200) return { kind: 'accepted', account: 'sandbox' };
  const reason = refusalReason(sent.status, fields(parsed(sent.text)?.error));
  return sent.status === 401 ? { kind: 'refused', reason } : { kind: 'unreachable', reason };
}

/** A charge that names our key, so that no crossed answer can resolve another charge. */
function definiteCharge(charge: Fields | undefined, idempotencyKey: string): Definite | undefined {
  const pspTransactionId = id(charge?.id);
  if (charge === undefined || pspTransactionId === undefined) return undefined;
  if (charge.idempotency_key !== idempotencyKey) return undefined;
  const networkTransactionId = id(charge.network_transaction_id);
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
  const error = fields(charge.error);
  if (charge.status !== 'declined' || error === undefined) return undefined;
  const network = cardNetworks.find((known) => known === charge.network);
  const code = id(error.code);
  const networkCode = id(error.network_code);
  if (code === undefined || networkCode === undefined) return undefined;
  const adviceCode = id(error.advice_code);
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

/** Retry-After in seconds; the sandbox sends no dates. */
function retryAfter(sent: Answered): number | undefined {
  const value = sent.headers['retry-after'];
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined;
}

function parsed(text: string): Fields | undefined {
  try {
    return fields(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function fields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}

function id(value: unknown): string | undefined {
  const fits = typeof value === 'string' && value.length > 0 && value.length <= limits.idLength;
  return fits ? value : undefined;
}
