import { present } from '../../domain/present.ts';
import type {
  ChargeRequest,
  ChargeResult,
  CredentialsCheck,
  ToldCharge,
} from '../../recovery/psp-ports.ts';
import {
  codeOf,
  type Fields,
  fieldsOf,
  idOf,
  parsedFields,
  retryAfterMs,
  textOf,
} from '../answer-fields.ts';
import { type NotMade, notMade, requestRefused, unknown } from '../charge-results.ts';
import { chargedCard } from '../charged-card.ts';
import type { Answered, Exchange } from '../exchange.ts';
import { worldpayOrigins } from './client.ts';
import type { WorldpayAccount } from './credentials.ts';
import { declineByOutcome, type WorldpayRefusal, worldpayDecline } from './declines.ts';

/** Letters that Worldpay allows in a reference and that no firewall of theirs takes offence at. */
const reference = /^[A-Za-z0-9_-]{1,64}$/;
/** The value with which merchants say that the token's own number is to be used. */
const numberOfToken = '000';

/**
 * The body of a payment, as JSON; `not_made` where Worldpay would refuse it. It may hold the card
 * verification number: it goes to the socket alone.
 */
export function paymentBody(
  account: WorldpayAccount,
  request: ChargeRequest,
): { readonly kind: 'ready'; readonly text: string } | NotMade {
  if (!reference.test(request.idempotencyKey)) {
    return notMade('Worldpay takes no such reference: at most 64 letters, digits, - and _.');
  }
  // An amount of zero is a check of the card to Worldpay, which would pass for a payment.
  if (request.amountMinor < 1) return notMade('There is nothing to charge.');
  const href = tokenHref(account, request.token?.id ?? request.paymentMethodId);
  if (href === undefined) {
    return notMade(
      `The payment method is no token of Worldpay's ${account.environment} environment.`,
    );
  }
  const cardCode = request.token?.cardCode?.reveal();
  const hasCardCode = cardCode !== undefined && cardCode !== '' && cardCode !== numberOfToken;
  const schemeReference = request.networkTransactionId?.trim() ?? '';
  const text = JSON.stringify({
    transactionReference: request.idempotencyKey,
    merchant: { entity: account.entity },
    instruction: {
      method: 'card',
      paymentInstrument: { type: 'token', href, ...(hasCardCode && { cvc: cardCode }) },
      customerAgreement: {
        type: 'subscription',
        storedCardUsage: 'subsequent',
        ...(/^[A-Za-z0-9]{1,56}$/.test(schemeReference) && { schemeReference }),
      },
      narrative: { line1: account.narrative },
      value: { currency: request.currency, amount: request.amountMinor },
      settlement: { auto: true },
    },
  });
  return { kind: 'ready', text };
}

/** A token's address: merchants keep it whole, or its last part. */
function tokenHref(account: WorldpayAccount, token: string): string | undefined {
  const tokens = `${worldpayOrigins[account.environment]}/tokens/`;
  if (token.startsWith(tokens)) return token;
  return /^[\w.~%=+-]+$/.test(token) ? tokens + token : undefined;
}

/** What a charge came to. Everything that is not certain is `unknown`. */
export function chargeResult(sent: Exchange, request: ChargeRequest): ChargeResult {
  if (sent.kind === 'not_sent') return notMade(sent.reason);
  if (sent.kind === 'lost') return unknown(sent.reason);
  const body = parsedFields(sent.text);
  const isOutcome = sent.status === 201 || sent.status === 202 || sent.status === 200;
  return isOutcome ? outcomeOf(sent.status, body, request) : refusedRequest(sent, body);
}

function outcomeOf(
  status: number,
  body: Fields | undefined,
  { idempotencyKey }: ChargeRequest,
): ChargeResult {
  const outcome = codeOf(body?.outcome);
  if (outcome === undefined || body?.transactionReference !== idempotencyKey) {
    return unknown(`HTTP ${status} with an answer that cannot be understood`);
  }
  const networkTransactionId = idOf(body.schemeReference);
  const instrument = fieldsOf(body.paymentInstrument);
  // Worldpay's events, disputes and reports name a payment by the reference that it was sent with.
  const ids = {
    pspTransactionId: idempotencyKey,
    ...present({ networkTransactionId }),
    // Worldpay's name of a card is the network's: it is left out where the network gives none.
    ...chargedCard({
      fingerprint: instrument?.paymentAccountReference,
      scheme: instrument?.cardBrand,
      isToken: instrument?.appliedNetworkToken,
    }),
    ...toldOf(fieldsOf(body.amounts)),
  };
  if (outcome === 'authorized' || outcome === 'sentForSettlement') {
    return { kind: 'succeeded', ...ids };
  }
  const decline =
    outcome === 'refused' ? worldpayDecline(refusalOf(body)) : declineByOutcome(outcome);
  return decline === undefined
    ? unknown(`HTTP ${status} with the outcome ${outcome}, which says nothing certain`)
    : { kind: 'declined', ...ids, decline };
}

/** What the issuer approved, where it was a part of the amount: an answer tells no other amount. */
function toldOf(amounts: Fields | undefined): { readonly told?: ToldCharge } {
  const { totalAuthorized: amountMinor, currency } = amounts ?? {};
  return typeof amountMinor === 'number' && typeof currency === 'string'
    ? { told: { amountMinor, currency } }
    : {};
}

function refusalOf(body: Fields): WorldpayRefusal {
  const code = codeOf(body.refusalCode);
  const description = textOf(body.refusalDescription);
  const adviceCode = codeOf(fieldsOf(body.advice)?.code);
  const cardBrand = textOf(fieldsOf(body.paymentInstrument)?.cardBrand);
  return {
    ...present({ code, description, adviceCode, cardBrand }),
  };
}

/**
 * A request that Worldpay did not take. Statuses from 400 to 499 are faults of the request, after
 * which it may be sent again (developer.worldpay.com, reference/errors), where Worldpay's own error
 * says so. One exception: a fault of the reference may mean that a payment has it already.
 */
function refusedRequest(sent: Answered, body: Fields | undefined): ChargeResult {
  const { status } = sent;
  const errorName = codeOf(body?.errorName);
  const reason = `HTTP ${status}${errorName === undefined ? '' : `, error ${errorName}`}`;
  if (isAboutReference(body)) return unknown(`${reason}: the reference may have been used before`);
  if ([400, 404, 406, 415].includes(status)) {
    return errorName === undefined ? unknown(reason) : requestRefused(reason);
  }
  if (![401, 403, 429].includes(status)) return unknown(reason);
  const waitMs = retryAfterMs(sent.headers);
  return { ...notMade(reason), ...present({ retryAfterMs: waitMs }) };
}

function isAboutReference(body: Fields | undefined): boolean {
  const faults = Array.isArray(body?.validationErrors) ? body.validationErrors : [];
  return [body, ...faults.map(fieldsOf)].some(
    (fault) =>
      /duplicate/i.test(String(fault?.errorName ?? '')) ||
      String(fault?.jsonPath ?? '').includes('transactionReference'),
  );
}

/** Whether Worldpay answers a query: it asks for nothing but the user name and the password. */
export function credentialsResult(sent: Exchange, account: WorldpayAccount): CredentialsCheck {
  const { entity, environment, webhookSecrets } = account;
  if (sent.kind !== 'answered') return { kind: 'unreachable', reason: sent.reason };
  if (sent.status === 200 && parsedFields(sent.text) !== undefined) {
    const warnings = ['Worldpay checks the entity only with the first charge.'];
    if (webhookSecrets.length === 0) {
      warnings.push('Without webhook_secret no webhook of Worldpay is taken.');
    }
    return { kind: 'accepted', account: entity, warnings };
  }
  if (sent.status === 401 || sent.status === 403) {
    return {
      kind: 'refused',
      reason: `Worldpay's ${environment} environment does not take this username and password (HTTP ${sent.status}). Those of test and of live differ.`,
    };
  }
  return { kind: 'unreachable', reason: `HTTP ${sent.status}` };
}
