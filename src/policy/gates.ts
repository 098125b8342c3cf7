import { addMs, laterOf } from '../domain/clock.ts';
import { type Decline, mayTryAgain } from '../domain/declines/decline.ts';
import type { PlanInput } from './plan.ts';
import { lastTriedAt, renewal } from './renewal.ts';

/** A method that may be tried, and from when on. */
export interface UsableMethod {
  readonly paymentMethodId: string;
  /** Whether it was added or updated since the last try. */
  readonly renewed: boolean;
  /** The earliest time that the issuer's advice allows. */
  readonly allowedAt: Date;
}

interface DatedDecline {
  readonly decline: Decline;
  readonly at: Date;
}

/**
 * The methods that may be tried again: the renewed ones first, the newest before older ones, then
 * the merchant's order. A method whose latest decline asks for new data or an act of the payer is
 * out until it is updated.
 */
export function usableMethods(input: PlanInput): readonly UsableMethod[] {
  const declines = latestDeclines(input);
  const since = lastTriedAt(input);
  const ordered = [...input.methods].sort((a, b) => renewal(b, since) - renewal(a, since));
  return ordered.flatMap((method) => {
    const last = declines.get(method.paymentMethodId);
    const isRenewed = renewal(method, since) > 0;
    const replaced = last === undefined || renewal(method, last.at) > 0;
    if (!replaced && !mayTryAgain(last.decline.category)) return [];
    const allowedAt = replaced ? input.now : addMs(last.at, last.decline.waitMs ?? 0);
    return [
      {
        paymentMethodId: method.paymentMethodId,
        renewed: isRenewed,
        allowedAt: laterOf(allowedAt, input.now),
      },
    ];
  });
}

/** The latest decline of each method, whichever try it came from. */
function latestDeclines(input: PlanInput): ReadonlyMap<string, DatedDecline> {
  const latest = new Map<string, DatedDecline>();
  const first = input.methods.find((method) => method.failedFirst === true);
  if (first !== undefined) {
    latest.set(first.paymentMethodId, { decline: input.firstDecline, at: input.failedAt });
  }
  for (const item of input.tries) {
    for (const { paymentMethodId, decline } of item.declines) {
      latest.set(paymentMethodId, { decline, at: item.endedAt });
    }
  }
  return latest;
}
