import { minuteMs } from '../../domain/clock.ts';
import { defaultPolicy, type PolicySettings } from '../../domain/merchant.ts';
import { secretKeyOf, webhookSecretOf } from '../psps/stripe/stripe-psp.ts';
import type { Draws } from '../schedule/draws.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { Fleet } from './fleet.ts';
import type { SimulatedMerchant } from './simulated-merchant.ts';

/** Registers the merchants through the operator's API, before anything goes wrong. */
export async function createMerchants(
  deps: {
    readonly scheduler: Scheduler;
    readonly draws: Draws;
    readonly fleet: Fleet;
    readonly whenIdle: () => Promise<void>;
  },
  merchants: readonly SimulatedMerchant[],
  windowDays: number,
): Promise<void> {
  const { scheduler, fleet, whenIdle } = deps;
  const draws = deps.draws.fork('merchants');
  const first = fleet.startFirst();
  for (const [index, merchant] of merchants.entries()) {
    const created = first.machine.run(() =>
      first.admin.createMerchant({
        name: `Merchant ${index + 1}`,
        retryStatusUrl: `${merchant.origin}/retry/{invoice_id}`,
        webhookUrl: `${merchant.origin}/webhooks`,
        auth: { type: 'none' },
        endOfDunning: false,
        policy: drawPolicy(draws, windowDays),
        psps: connectionsOf(index, merchant.stripeAccount),
      }),
    );
    void created.then(({ merchant: { merchantId }, signingSecret }) => {
      merchant.merchantId = merchantId;
      merchant.signingSecret = signingSecret;
    });
  }
  await scheduler.runUntil(scheduler.nowMs() + 30 * minuteMs, whenIdle);
}

function connectionsOf(index: number, account: string) {
  const stripe = { secret_key: secretKeyOf(account), webhook_secret: webhookSecretOf(account) };
  const worldpay = { username: `wp${index + 1}`, password: 'secret', entity: 'Shop' };
  return [
    { psp: 'sandbox' as const, credentials: {} },
    { psp: 'stripe' as const, credentials: stripe },
    { psp: 'worldpay' as const, credentials: worldpay },
  ];
}

function drawPolicy(draws: Draws, windowDays: number): PolicySettings {
  const fitting = (days: readonly number[]) => [
    1,
    ...days.filter((day) => day > 1 && day < windowDays),
  ];
  const kinds: readonly PolicySettings[] = [
    defaultPolicy,
    { ...defaultPolicy, maxAttempts: draws.whole(4, 12) },
    { ...defaultPolicy, kind: 'fixed', fixedDays: fitting([1, 2, 4, 8, 12, 16, 20, 24]) },
  ];
  return { ...draws.pick(kinds), windowDays };
}
