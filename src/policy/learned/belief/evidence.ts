import { dayMs } from '../../../domain/clock.ts';
import type { Decline } from '../../../domain/declines/decline.ts';
import { dayOfHour, localHour } from '../local-time.ts';
import type { RetryFacts } from '../retry-facts.ts';
import { adviceCodes, codeClassOf, contextOf, laterCodes } from './belief-parameters.ts';

/** What a decision's facts say to the belief, as numbers. */
export interface Evidence {
  readonly context: number;
  /** The local hour of the failure, or the one before the card's renewal. */
  readonly anchorHour: number;
  /** The decline that began it all; none where the card was renewed since. */
  readonly first: SeenDecline | undefined;
  /** Declined tries since the failure or the renewal, the oldest first. */
  readonly tries: readonly SeenDecline[];
  readonly past: readonly PastSign[];
}

export interface SeenDecline {
  readonly hour: number;
  /** The place in `laterCodes`; -1 for a technical decline. */
  readonly code: number;
  /** The place in `adviceCodes`; -1 for none that tells of time. */
  readonly advice: number;
}

/** An earlier charge of the payer that tells of their money. */
export interface PastSign {
  readonly day: number;
  readonly succeeded: boolean;
  /** From 0 to 1: what its age leaves of its word. */
  readonly trust: number;
}

/** Older charges tell less: jobs and banks change. */
const trustDays = 240;
const maxPastCharges = 24;

/** Reads the evidence of a payment's facts; hours and days are on the payer's clock. */
export function evidenceOf(facts: RetryFacts): Evidence {
  const { renewedAtMs, failedAtMs, utcOffsetMinutes, firstDecline } = facts;
  const anchorMs = renewedAtMs ?? failedAtMs;
  const isRenewed = renewedAtMs !== undefined;
  const hourOf = (atMs: number) => localHour(atMs, utcOffsetMinutes);
  const tries: SeenDecline[] = [];
  for (const { atMs, decline } of facts.tries) {
    if (atMs >= anchorMs) tries.push(seen(hourOf(atMs), decline));
  }
  return {
    context: contextOf(facts),
    // A renewed card may pass in its first hour; a charge that has just failed does not.
    anchorHour: hourOf(anchorMs) - (isRenewed ? 1 : 0),
    first: isRenewed ? undefined : seen(hourOf(failedAtMs), firstDecline),
    tries,
    past: facts.past.length === 0 ? [] : pastSigns(facts),
  };
}

function seen(hour: number, decline: Decline): SeenDecline {
  const name = codeClassOf(decline);
  const code = name === 'technical' ? -1 : laterCodes.indexOf(name);
  return { hour, code, advice: adviceOf(decline) };
}

/** The place of a decline's advice in `adviceCodes`; -1 for none that tells of time. */
export function adviceOf({ adviceCode }: Decline): number {
  return adviceCode === undefined
    ? -1
    : adviceCodes.indexOf(adviceCode as (typeof adviceCodes)[number]);
}

/** The newest of those that tell of money, the oldest first. */
function pastSigns({ past, nowMs, failedAtMs, utcOffsetMinutes }: RetryFacts): readonly PastSign[] {
  const signs: PastSign[] = [];
  for (let at = past.length - 1; at >= 0 && signs.length < maxPastCharges; at -= 1) {
    const charge = past[at];
    if (charge === undefined) continue;
    const { atMs, succeeded, lackedFunds } = charge;
    if (atMs >= nowMs || atMs === failedAtMs) continue;
    if (!succeeded && lackedFunds !== true) continue;
    signs.push({
      day: dayOfHour(localHour(atMs, utcOffsetMinutes)),
      succeeded,
      trust: Math.exp(-(nowMs - atMs) / (trustDays * dayMs)),
    });
  }
  return signs.reverse();
}
