import { dayMs, secondMs } from '../../domain/clock.ts';
import { type StripePsp, secretKeyOf, webhookSecretOf } from '../psps/stripe/stripe-psp.ts';
import type { Draws } from '../schedule/draws.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { ServiceCalls } from './service-calls.ts';
import type { SimulatedMerchant } from './simulated-merchant.ts';
import { accountAfter, stripeAccountsOf } from './stripe-accounts.ts';

/** Merchants that move to another account at Stripe. */
export interface AccountChanges {
  /** An answer of Stripe was lost: whoever is about to move does so now, with that charge open. */
  noteLost(account: string): void;
  /** When somebody last began to move. */
  readonly lastMs: number;
}

export interface AccountChangesDeps {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly calls: () => ServiceCalls;
  readonly stripe: StripePsp;
  readonly merchants: readonly SimulatedMerchant[];
  /** The share of the merchants that move. */
  readonly share: number;
}

/** How soon after the lost answer: before, amid and after the first look-ups. */
const maxAfterLostMs = 20 * secondMs;
/** From when on a merchant waits for its moment. */
const maxArmedMs = 4 * dayMs;

export function createAccountChanges(deps: AccountChangesDeps): AccountChanges {
  const { scheduler, stripe, merchants } = deps;
  const draws = deps.draws.fork('accounts');
  const armedFrom = new Map<string, number>();
  for (const [index] of merchants.entries()) {
    const atMs = scheduler.nowMs() + draws.unit() * maxArmedMs;
    if (draws.chance(deps.share)) armedFrom.set(stripeAccountsOf(index)[0] ?? '', atMs);
  }

  let lastMs = Number.NEGATIVE_INFINITY;

  function move(account: string): void {
    lastMs = scheduler.nowMs();
    const merchant = merchants.find((each) => each.stripeAccount === account);
    const next = accountAfter(account);
    if (merchant === undefined || next === undefined) return;
    stripe.copyMethods(account, next);
    const credentials = { secret_key: secretKeyOf(next), webhook_secret: webhookSecretOf(next) };
    deps.calls().make({
      what: `a move to ${next}`,
      work: ({ admin }) =>
        admin.connectPsp(merchant.merchantId, { psp: 'stripe' as const, credentials }),
      onAnswer() {
        merchant.stripeAccount = next;
        return true;
      },
    });
  }

  return {
    get lastMs() {
      return lastMs;
    },
    noteLost(account) {
      const fromMs = armedFrom.get(account);
      if (fromMs === undefined || scheduler.nowMs() < fromMs) return;
      armedFrom.delete(account);
      scheduler.after(draws.unit() * maxAfterLostMs, () => move(account));
    },
  };
}
