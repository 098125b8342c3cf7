import type { Fault } from '../../domain/json/fault.ts';
import { readStrictJson } from '../../domain/json/strict-json.ts';
import type { PaymentEventBody, PaymentMethodUpdateBody } from '../../domain/payment-event.ts';
import type { PspWebhookApi } from '../../http/disputes/disputes-deps.ts';
import { acceptPayment } from '../../http/recovery/intake/accept-payment.ts';
import { acceptPaymentMethodUpdate } from '../../http/recovery/intake/accept-payment-method-update.ts';
import type { PspEventDeps } from '../../recovery/intake/psp-events/deps.ts';
import { takeInPspWebhook } from '../../recovery/intake/take-in-psp-webhook.ts';
import { createPspEventStore } from '../../store/psp-events/psp-event-store.ts';
import type { AppContext } from '../context.ts';
import type { DisputesSide } from '../disputes/disputes-side.ts';
import type { Engine } from '../engine.ts';
import type { MerchantSide } from '../merchant-side.ts';

/** What the disputes listener asks of the engine. What a PSP reports is judged as a merchant's is. */
export function createPspWebhookApi(
  context: AppContext,
  parts: {
    readonly engine: Engine;
    readonly merchants: Pick<MerchantSide, 'sealer'>;
    readonly disputes: Pick<DisputesSide, 'takeIn'>;
  },
): PspWebhookApi {
  const { db, metrics } = context;
  const { engine, merchants, disputes } = parts;
  const deps: PspEventDeps = {
    ...engine.deps,
    requestLog: engine.requestLog,
    events: createPspEventStore({ db, sealer: merchants.sealer }),
    ...reportChecks,
    takeInDispute: (input) => disputes.takeIn(input),
    countEvent: (psp, outcome) => metrics.countPspEvent(psp, outcome),
  };
  return {
    isConnected: async (account) => (await deps.findGateway(account)) !== undefined,
    takeIn: (input) => takeInPspWebhook(deps, input),
  };
}

/** The rules of the recovery API, for what PSPs report. */
export const reportChecks: Pick<PspEventDeps, 'checkPayment' | 'checkPaymentMethodUpdate'> = {
  checkPayment: (body, psps) => [
    ...textFaults(body),
    ...acceptPayment.check(body, { merchantId: '', psps }),
  ],
  checkPaymentMethodUpdate: (body) => [
    ...textFaults(body),
    ...acceptPaymentMethodUpdate.check(body, { merchantId: '', psps: [] }),
  ],
};

/** What the reading of a request's body refuses: texts that PostgreSQL does not take, above all. */
function textFaults(body: PaymentEventBody | PaymentMethodUpdateBody): readonly Fault[] {
  const reading = readStrictJson(Buffer.from(JSON.stringify(body)));
  return reading.kind === 'value' ? [] : reading.faults;
}
