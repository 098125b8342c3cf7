import type { Psp } from './psps.ts';
import type { EndpointPause } from './webhooks/endpoint-pause.ts';

/** How calls to a merchant's server prove that they come from us, besides the webhook's signature. */
export type MerchantAuth =
  | { readonly type: 'none' }
  | { readonly type: 'api_key'; readonly api_key: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string };

/** How a merchant wants failed payments retried. */
export type PolicySettings = FixedPolicy | EvenPolicy | LearnedPolicySettings;

interface RetrySpan {
  /** Days from the failure to the last moment of a try, 1 to 60. */
  readonly windowDays: number;
  /** Tries in all, 1 to 20; a merchant's postponed check is not a try. */
  readonly maxAttempts: number;
}

/** On chosen days. */
export interface FixedPolicy extends RetrySpan {
  readonly kind: 'fixed';
  /** Days after the failure, rising, each inside the window. */
  readonly fixedDays: readonly number[];
  readonly kept?: LearnedShares;
}

/** `maxAttempts` tries, evenly over the window. */
export interface EvenPolicy extends RetrySpan {
  readonly kind: 'even';
  /** Days that were chosen for a policy which goes by days, where they are no even spread. */
  readonly kept?: LearnedShares & { readonly fixedDays?: readonly number[] };
}

/** When a model expects most. */
export interface LearnedPolicySettings extends RetrySpan, LearnedShares {
  readonly kind: 'learned';
  /** The schedule that it has to beat, of all payments that the model does not plan. */
  readonly fixedDays: readonly number[];
  /** The share that the model's own payments have earned so far. */
  readonly learnedStep?: number;
}

/** How a learned policy splits its payments. Other kinds keep what was chosen until they are learned. */
export interface LearnedShares {
  /** Share of payments that stay on `fixedDays`, to compare with; 0 to 0.5. */
  readonly holdoutShare?: number;
  /** Share of payments that the model plans, set by hand; absent: by steps. */
  readonly learnedShare?: number;
  /** Share of decisions that take a time by chance, to learn from; 0 to 0.2. */
  readonly exploreShare?: number;
}

/** Kinds of policy, as the APIs and the column `policy_kind` name them. */
export const policyKinds = ['fixed', 'even', 'learned'] as const;

/** The shares of a merchant that has chosen none: the field's habit is a tenth, and 5 to 10 %. */
export const defaultShares = { holdout: 0.1, explore: 0.07 } as const;
/** Above half, more payments would be kept from the better policy than get it. */
export const maxHoldoutShare = 0.5;
/** Each explored decision takes a time that is not the best known one. */
export const maxExploreShare = 0.2;

/**
 * Whole days of an even spread: the window cut into as many parts as there are tries, one at the end
 * of each. What is tried where nothing better is known; rising, and each inside the window.
 */
export function evenDays(windowDays: number, maxAttempts: number): readonly number[] {
  const days = Array.from({ length: maxAttempts }, (_, at) =>
    Math.floor((windowDays * (at + 1)) / maxAttempts),
  );
  return [...new Set(days)].filter((day) => day >= 1);
}

/** Of a new merchant: an even spread of eight tries over four weeks. */
export const defaultPolicy: EvenPolicy = { kind: 'even', windowDays: 28, maxAttempts: 8 };

/** All that a merchant chose, whichever kind uses it: as it is asked for, stored and shown. */
export interface PolicyChoices extends RetrySpan {
  readonly kind: PolicySettings['kind'];
  readonly fixedDays: readonly number[];
  readonly shares: LearnedShares;
}

/** The settings of a kind, made of all that a merchant chose; what the kind does not use is kept in `kept`. */
export function policyOf({ fixedDays, shares, ...choices }: PolicyChoices): PolicySettings {
  const { kind, windowDays, maxAttempts } = choices;
  const span = { windowDays, maxAttempts };
  switch (kind) {
    case 'fixed':
      return { kind, ...span, fixedDays, ...keptOf(shares) };
    case 'even': {
      const isSpread = evenDays(windowDays, maxAttempts).join() === fixedDays.join();
      return { kind, ...span, ...keptOf(isSpread ? shares : { fixedDays, ...shares }) };
    }
    case 'learned':
      return { kind, ...span, fixedDays, ...shares };
  }
}

function keptOf<Kept extends object>(kept: Kept): { readonly kept?: Kept } {
  return Object.keys(kept).length === 0 ? {} : { kept };
}

/** The days that a policy goes by, or would: of an even one its spread, where no others are kept. */
export function daysOf(policy: PolicySettings): readonly number[] {
  if (policy.kind !== 'even') return policy.fixedDays;
  return policy.kept?.fixedDays ?? evenDays(policy.windowDays, policy.maxAttempts);
}

/** The shares that a merchant chose, in use or kept; those left to the defaults are absent. */
export function sharesOf(policy: PolicySettings): LearnedShares {
  return policy.kind === 'learned' ? policy : (policy.kept ?? {});
}

/** Of a merchant that has chosen none. */
export const defaultTimeZone = 'UTC';

/** A merchant as the engine needs it: where to ask, where to report, how to retry, whom to charge. */
export interface Merchant {
  readonly merchantId: string;
  readonly name: string;
  /** The retry-status address; `{invoice_id}` in it is replaced by the encoded invoice id. */
  readonly retryStatusUrl: string;
  readonly webhookUrl: string;
  readonly policy: PolicySettings;
  /** In whose days its people count, a name of the IANA database. */
  readonly timeZone?: string;
  /** Whether the merchant asked for the end_of_dunning event. */
  readonly endOfDunning: boolean;
  /** Whether the merchant asked for the incident event. */
  readonly incidentEvents?: boolean;
  /** Whether the merchant asked for the events of payments that wait for their customers. */
  readonly customerActionEvents?: boolean;
  /** The merchant's page for a customer who has to act, `{token}` in it; absent: no link is signed. */
  readonly customerPageUrl?: string;
  /** Whether the merchant has customers written to whose payments wait for them. */
  readonly messagesOn?: boolean;
  /** Whether webhooks that were not acknowledged are sent again within the first hour, too. */
  readonly webhookQuickSends?: boolean;
  /** Days of nothing but failures after which the webhook address is paused; absent: never. */
  readonly webhookPauseAfterDays?: number;
  readonly webhookPause?: EndpointPause;
  /** Whether some of its events go to further endpoints too. */
  readonly hasFurtherEndpoints?: boolean;
  readonly psps: readonly Psp[];
  readonly createdAt: Date;
}

/** What calls to a merchant's server need besides the address; opened just before the call. */
export interface MerchantSecrets {
  readonly auth: MerchantAuth;
  /** Every signing secret now valid, the newest first: the last signs until it ends. */
  readonly signingSecrets: readonly string[];
}
