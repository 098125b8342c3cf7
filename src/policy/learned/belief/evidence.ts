import type { Decline } from '../../../domain/declines/decline.ts';
import { localHour } from '../local-time.ts';
import type { RetryFacts } from '../retry-facts.ts';
import { adviceCodes, codeClassOf, contextOf, laterCodes } from './belief-parameters.ts';

/** What a decision's facts say to the belief, but for the payer's earlier charges, as numbers. */
export interface Evidence {
  readonly context: number;
  /** The local hour of the failure, or the one before the card's renewal. */
  readonly anchorHour: number;
  /** The decline that began it all; none where the card was renewed since. */
  readonly first: SeenDecline | undefined;
  /** Declined tries since the failure or the renewal, the oldest first. */
  readonly tries: readonly SeenDecline[];
}

export interface SeenDecline {
  readonly hour: number;
  /** The place in `laterCodes`; -1 for a technical decline. */
  readonly code: number;
  /** The place in `adviceCodes`; -1 for none that tells of time. */
  readonly advice: number;
}

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
