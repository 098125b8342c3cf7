import type { WireAnswer, WireRequest, WireServer } from '../wire/wire.ts';
import { json, type PspWorld } from './psp-world.ts';
import { userOf } from './sent-charge.ts';

const refusalCodes = { insufficient_funds: '51', do_not_honor: '5', expired: '54', stolen: '43' };

interface Payment {
  readonly account: string;
  readonly paymentId: string;
  readonly reference: string;
  readonly entity: string;
  readonly value: { readonly currency: string; readonly amount: number };
  readonly code: string | undefined;
  readonly atMs: number;
  readonly shownFromMs: number;
}

/**
 * Worldpay's Access APIs: no idempotency keys at all. The same reference twice is two payments, and a
 * payment stands in its record only some time after it was made.
 */
export function createWorldpayPsp(world: PspWorld, recordLagMs: number): WireServer {
  const payments: Payment[] = [];
  const { record, issuer, nowMs } = world;

  function pay(request: WireRequest): WireAnswer {
    const body = JSON.parse(request.body) as PaymentBody;
    const { paymentInstrument, value } = body.instruction;
    const methodId = paymentInstrument.href.split('/').at(-1) ?? '';
    const verdict = issuer.decide(methodId, nowMs());
    const isApproved = verdict.kind === 'approved';
    const account = userOf(request.headers.authorization ?? '');
    const payment: Payment = {
      account,
      paymentId: `pay${payments.length + 1}`,
      reference: body.transactionReference,
      entity: body.merchant.entity,
      value,
      code: isApproved ? undefined : refusalCodes[verdict.code],
      atMs: nowMs(),
      shownFromMs: nowMs() + recordLagMs,
    };
    payments.push(payment);
    record.charges.push({
      psp: 'worldpay',
      account,
      chargeId: payment.paymentId,
      debtId: issuer.cards.get(methodId)?.debtId ?? '',
      origin: 'ours',
      key: payment.reference,
      methodId,
      amountMinor: value.amount,
      currency: value.currency,
      state: isApproved ? 'succeeded' : 'declined',
      ...(!isApproved && { declineCode: verdict.code }),
      atMs: nowMs(),
      sentMs: request.sentMs,
    });
    return answerOf(payment);
  }

  function query(request: WireRequest): WireAnswer {
    const url = new URL(request.path, 'http://worldpay');
    const id = url.pathname.split('/')[3];
    if (id !== undefined) {
      const payment = payments.find((other) => other.paymentId === id);
      if (payment === undefined) return json(404, { errorName: 'paymentNotFound' });
      const refusal = { eventName: 'authorizationRefused', outcome: 'refused', code: payment.code };
      return json(200, { ...summary(payment), events: [refusal] });
    }
    const reference = url.searchParams.get('transactionReference');
    const account = userOf(request.headers.authorization ?? '');
    const shown = payments.filter(
      (payment) => payment.account === account && payment.shownFromMs <= nowMs(),
    );
    if (reference === null) return pageOf(shown.filter(isBetween(url.searchParams)));
    record.lookUps.push({ psp: 'worldpay', account, key: reference, atMs: nowMs() });
    const found = shown.filter((payment) => payment.reference === reference);
    return pageOf(found);
  }

  return {
    handle(request, fault) {
      if (fault === 'error_before') return json(500, { errorName: 'internalErrorOccurred' });
      const made = request.path === '/api/payments' ? pay(request) : query(request);
      const answer = { ...made, headers: { date: new Date(nowMs()).toUTCString() } };
      return fault === 'error_after' ? json(504, { errorName: 'gatewayTimeout' }) : answer;
    },
  };
}

interface PaymentBody {
  readonly transactionReference: string;
  readonly merchant: { readonly entity: string };
  readonly instruction: {
    readonly paymentInstrument: { readonly href: string };
    readonly value: { readonly currency: string; readonly amount: number };
  };
}

function answerOf({ paymentId, reference, code }: Payment): WireAnswer {
  const isApproved = code === undefined;
  return json(isApproved ? 202 : 201, {
    outcome: isApproved ? 'sentForSettlement' : 'refused',
    ...(!isApproved && { refusalCode: code, refusalDescription: 'REFUSED' }),
    paymentInstrument: { type: 'card/plain+masked', cardBrand: 'visa' },
    paymentId,
    transactionReference: reference,
  });
}

function pageOf(found: readonly Payment[]): WireAnswer {
  return json(200, { _embedded: { payments: found.map(summary) } });
}

/** Payments after `startDate`, until `endDate`. */
function isBetween(asked: URLSearchParams): (payment: Payment) => boolean {
  const [from, to] = ['startDate', 'endDate'].map((name) => Date.parse(asked.get(name) ?? ''));
  return ({ atMs }) => atMs > (from ?? 0) && atMs <= (to ?? 0);
}

function summary({ paymentId, reference, entity, value, code, atMs }: Payment) {
  return {
    paymentId,
    transactionReference: reference,
    entity,
    timestamp: new Date(atMs).toISOString(),
    lastEvent: code === undefined ? 'settlementRequestSubmitted' : 'authorizationRefused',
    paymentInstrument: { type: 'card/plain+masked', card: { brand: 'visa' } },
    value,
  };
}
