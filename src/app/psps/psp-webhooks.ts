import type { Fault } from '../../domain/json/fault.ts';
import { readStrictJson } from '../../domain/json/strict-json.ts';
import type { PaymentEventBody, PaymentMethodUpdateBody } from '../../domain/payment-event.ts';
import { compileSchema } from '../../http/check-schema.ts';
import type { PspWebhookApi } from '../../http/disputes/disputes-deps.ts';
import type { Reporter } from '../../http/recovery/caller.ts';
import {
  customerFaults,
  updateSchema,
} from '../../http/recovery/intake/accept-payment-method-update.ts';
import { paymentFaults } from '../../http/recovery/intake/payment-rules.ts';
import { paymentSchema } from '../../http/recovery/intake/payment-schema.ts';
import { ingestPspWebhook } from '../../recovery/intake/ingest-psp-webhook.ts';
import type { PspEventDeps } from '../../recovery/intake/psp-events/deps.ts';
import { createIncidentStore } from '../../store/incidents/incident-store.ts';
import { createPspEventStore } from '../../store/psp-events/psp-event-store.ts';
import { servingEach } from '../../store/wall/serving-each.ts';
import type { AppContext } from '../context.ts';
import type { DisputesModule } from '../disputes/disputes-module.ts';
import type { EngineParts } from '../engine.ts';
import type { MerchantModule } from '../merchant-module.ts';
import type { PspModule } from './psp-module.ts';

/** What the disputes listener asks of the engine. What a PSP reports is judged as a merchant's is. */
export function createPspWebhookApi(
  context: AppContext,
  parts: {
    readonly engine: EngineParts;
    readonly merchants: Pick<MerchantModule, 'sealer'>;
    readonly psps: Pick<PspModule, 'gateways'>;
    readonly disputes: Pick<DisputesModule, 'ingest'>;
  },
): PspWebhookApi {
  const { metrics, random } = context;
  const { served: db } = context.merchantDatabases;
  const { engine, merchants, psps, disputes } = parts;
  const deps: PspEventDeps = {
    ...engine.deps,
    requestLog: engine.requestLog,
    listGateways: psps.gateways.list,
    events: createPspEventStore({ db, sealer: merchants.sealer }),
    incidents: createIncidentStore({ db, random }),
    ...reportChecks,
    ingestDispute: (input) => disputes.ingest(input),
    countEvent: (psp, outcome) => metrics.countPspEvent(psp, outcome),
  };
  return servingEach<PspWebhookApi>({
    isConnected: async (account) => (await deps.listGateways(account)).length > 0,
    ingest: (input) => ingestPspWebhook(deps, input),
  });
}

const checkPayment = compileSchema<Reporter>(paymentSchema, paymentFaults);
const checkUpdate = compileSchema(updateSchema, customerFaults);

/** The rules of the recovery API, for what PSPs report. */
export const reportChecks: Pick<PspEventDeps, 'checkPayment' | 'checkPaymentMethodUpdate'> = {
  checkPayment: (body, psps) => [
    ...textFaults(body),
    ...checkPayment(body, { merchantId: '', psps }),
  ],
  checkPaymentMethodUpdate: (body) => [...textFaults(body), ...checkUpdate(body)],
};

/** What the reading of a request's body refuses: texts that PostgreSQL does not take, above all. */
function textFaults(body: PaymentEventBody | PaymentMethodUpdateBody): readonly Fault[] {
  const reading = readStrictJson(Buffer.from(JSON.stringify(body)));
  return reading.kind === 'value' ? [] : reading.faults;
}
