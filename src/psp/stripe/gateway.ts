import type { Clock } from '../../domain/clock.ts';
import type { PspGateway } from '../../recovery/psp-ports.ts';
import type { PspCredentials } from '../adapter.ts';
import { notOffered } from '../not-offered.ts';
import { stripeAmount } from './amounts.ts';
import { stripeCapabilities } from './capabilities.ts';
import { chargeByIntent } from './charges/intent-charge.ts';
import { chargeInvoice } from './charges/invoice-charge.ts';
import { checkStripeCredentials } from './check-credentials.ts';
import type { StripeClient } from './client.ts';
import { stripeIdentity } from './credentials.ts';
import { lookUpStripeDispute } from './dispute-look-up.ts';
import { createOwnAccount } from './events/own-account.ts';
import { lookUpCharge } from './look-up.ts';
import { findStripeInvoice } from './operations/find-invoice.ts';
import { listStripeCharges } from './operations/list-charges.ts';
import { refundStripe } from './operations/refund.ts';
import { timeLimits } from './time-limits.ts';
import { readStripeWebhook } from './webhook.ts';

export interface StripeGatewayDeps {
  readonly client: StripeClient;
  readonly clock: Clock;
  readonly credentials: PspCredentials;
  /** For each operation, all its exchanges together. */
  readonly deadlineMs: number;
}

/** One account at Stripe. Card codes are never sent there: it charges what it stores itself. */
export function createStripeGateway(deps: StripeGatewayDeps): PspGateway {
  const { client, clock, credentials, deadlineMs } = deps;
  const limits = timeLimits(deadlineMs);
  const ownAccount = createOwnAccount(client, deadlineMs);
  return {
    ...notOffered,
    capabilities: stripeCapabilities,
    identity: stripeIdentity(credentials),
    async charge(request) {
      const amount = stripeAmount(request);
      if (amount.kind === 'not_taken') return { kind: 'not_made', reason: amount.reason };
      const { pspInvoiceId } = request;
      return pspInvoiceId === undefined
        ? chargeByIntent({ client, limits }, request, amount)
        : chargeInvoice({ client, limits }, { ...request, pspInvoiceId }, amount);
    },
    lookUp: (request) => lookUpCharge({ client, limits, clock }, request),
    findInvoice: ({ pspTransactionId }) =>
      findStripeInvoice({ client, timeoutMs: limits.stepMs }, pspTransactionId),
    refund: (request) => refundStripe({ client, timeoutMs: deadlineMs }, request),
    listCharges: (request) => listStripeCharges({ client, timeoutMs: deadlineMs }, request),
    lookUpDispute: (question) => lookUpStripeDispute({ client, timeoutMs: deadlineMs }, question),
    checkCredentials: () => checkStripeCredentials(client, credentials, deadlineMs),
    readWebhook: (delivery) =>
      readStripeWebhook(
        { client, clock, credentials, timeoutMs: deadlineMs, ownAccount },
        delivery,
      ),
  };
}
