import { addMs, laterOf } from '../domain/clock.ts';
import { type Decline, mayTryAgain } from '../domain/declines/decline.ts';
import type { PlanInput, PlanMethod } from './plan.ts';
import { lastTriedAt, renewal } from './renewal.ts';
import { ruleMessage } from './rule-message.ts';

/** A method that may be tried, and from when on. */
export interface UsableMethod {
  readonly paymentMethodId: string;
  /** Whether it was added or updated since the last try. */
  readonly renewed: boolean;
  /** The earliest time that the issuer's advice and the network's rules allow. */
  readonly allowedAt: Date;
  /** What sets `allowedAt`, in words, where it lies after now. */
  readonly boundBy?: string;
}

interface DatedDecline {
  readonly decline: Decline;
  readonly at: Date;
}

/**
 * The methods that may be tried again: the renewed ones first, the newest before older ones, then
 * the merchant's order. A method whose latest decline asks for new data or an action by the payer is
 * out until it is updated, and so is one that its network forbids for good.
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
    if (method.blocked !== undefined && method.blocked.until === undefined) return [];
    const advisedAt = replaced ? input.now : addMs(last.at, last.decline.waitMs ?? 0);
    const allowedAt = laterOf(laterOf(advisedAt, method.blocked?.until ?? input.now), input.now);
    const usable = { paymentMethodId: method.paymentMethodId, renewed: isRenewed, allowedAt };
    if (allowedAt.getTime() === input.now.getTime()) return [usable];
    const isNetworks = method.blocked?.until?.getTime() === allowedAt.getTime();
    const advice = `the issuer advised to wait until ${allowedAt.toISOString()}`;
    return [{ ...usable, boundBy: isNetworks ? networkBound(method) : advice }];
  });
}

/** What the networks have against the methods, a line for each that is held back or forbidden. */
export function networkBounds(methods: readonly PlanMethod[]): readonly string[] {
  return methods.filter(({ blocked }) => blocked !== undefined).map(networkBound);
}

function networkBound({ paymentMethodId, blocked }: PlanMethod): string {
  return blocked === undefined ? '' : `${paymentMethodId}: ${ruleMessage(blocked)}`;
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
