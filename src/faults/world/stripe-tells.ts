import { hourMs, minuteMs } from '../../domain/clock.ts';
import type { PspWebhookApi } from '../../http/disputes/disputes-deps.ts';
import type { StripeAccount, StripeEvent } from '../psps/stripe/stripe-account.ts';
import type { StripePsp } from '../psps/stripe/stripe-psp.ts';
import type { Draws } from '../schedule/draws.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { ServiceCalls } from './service-calls.ts';
import type { ServiceProcess } from './service-process.ts';
import type { SimulatedMerchant } from './simulated-merchant.ts';
import { stripeAccountsOf } from './stripe-accounts.ts';
import type { Told } from './told.ts';

/** Stripe sends an event for three days, at growing distances. */
const waitsMs = [
  0,
  ...[5, 30].map((minutes) => minutes * minuteMs),
  ...[2, 5, 10, 12, 12, 12, 12, 12].map((hours) => hours * hourMs),
];

/** An event comes to the service as Stripe sends it, under the account's signature. */
export function ingestEvent(
  { webhooks, context }: ServiceProcess,
  told: {
    readonly stripe: StripePsp;
    readonly merchantId: string;
    readonly account: StripeAccount;
    readonly event: StripeEvent;
  },
): ReturnType<PspWebhookApi['ingest']> {
  const { stripe, merchantId, account, event } = told;
  return webhooks.ingest({
    merchantId,
    psp: 'stripe',
    webhook: {
      rawBody: Buffer.from(event.body),
      headers: {
        'content-type': 'application/json',
        'stripe-signature': stripe.signature(account, event.body),
      },
      receivedAt: context.clock.now(),
    },
  });
}

/** Sends the events of Stripe's accounts, each until it is taken or three days are over: late, twice and out of order. */
export function createStripeTells(deps: {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly calls: ServiceCalls;
  readonly stripe: StripePsp;
  readonly merchants: readonly SimulatedMerchant[];
  readonly isSilent: boolean;
  readonly told: Told[];
}): () => void {
  const { scheduler, calls, stripe, merchants, told } = deps;
  const draws = deps.draws.fork('stripe tells');

  function send(merchantId: string, account: StripeAccount, event: StripeEvent): void {
    calls.make({
      what: `event ${event.id}`,
      work: (process) => ingestEvent(process, { stripe, merchantId, account, event }),
      onAnswer({ kind }) {
        const isTaken = kind === 'read' || kind === 'not_connected';
        const again = () => send(merchantId, account, event);
        if (isTaken) told.push({ atMs: scheduler.nowMs(), again });
        return isTaken;
      },
      waitsMs,
    });
  }

  function tellOf(merchantId: string, account: StripeAccount): void {
    const events = account.events.splice(0);
    if (deps.isSilent) return;
    for (const event of events) {
      const lateMs = Math.ceil(draws.unit() ** 3 * 30 * minuteMs);
      scheduler.after(lateMs, () => send(merchantId, account, event));
      if (draws.chance(0.1)) scheduler.after(2 * lateMs, () => send(merchantId, account, event));
    }
  }

  return () => {
    for (const [index, { merchantId }] of merchants.entries()) {
      for (const name of stripeAccountsOf(index)) tellOf(merchantId, stripe.account(name));
    }
  };
}
