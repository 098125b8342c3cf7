import { lastMonth } from '../../domain/card-expiry.ts';
import { addMs, hourMs } from '../../domain/clock.ts';
import type { MessageSettings } from '../../domain/messages/message-settings.ts';
import { localMonth } from '../../domain/messages/quiet-hours.ts';
import { present } from '../../domain/present.ts';
import { type TellFacts, type Telling, whenToTell } from './when-to-tell.ts';

/** A card that ends before it is charged again, and what else is between its customer and the merchant. */
export interface WarnFacts
  extends Pick<TellFacts, 'address' | 'hasRefused' | 'begunAt' | 'timeZone'> {
  /** Another card came, or the renewal did. */
  readonly isEnded: boolean;
  /** The first moment after the card's last month, in UTC. */
  readonly cardEndsAt: Date;
  readonly renewsAt: Date;
  /** Payments of the customer that are being recovered. */
  readonly open: {
    readonly payments: number;
    /** Whether one of them is being charged. */
    readonly hasAttempt: boolean;
    readonly nextAttemptAt?: Date;
  };
  /** When the customer was written to last, about a payment. */
  readonly lastWrittenAt?: Date;
}

/**
 * The rule of messages about payments, for a card that nobody was written to about: while none of the customer's payments is being recovered,
 * since a retry goes before it and such a payment has messages of its own; as far from the last of these as two of
 * them are from each other; and while there is time to act before the renewal. The message says that the card expires at
 * the end of this month, so it goes in that month of the customer's own calendar, or never. Pure.
 */
export function whenToWarn(
  facts: WarnFacts,
  settings: Parameters<typeof whenToTell>[1],
  now: Date,
): Telling {
  const { isEnded, open, lastWrittenAt, renewsAt, cardEndsAt, ...rest } = facts;
  const { nextAttemptAt } = open;
  const { begunAt, lastSentAt } = lastOf(facts, settings);
  const month = localMonth(now, facts.timeZone ?? settings.timeZone);
  const isPast = month > lastMonth(cardEndsAt);
  const telling = whenToTell(
    {
      ...rest,
      payment: {
        state: isEnded || isPast ? 'recovered' : open.hasAttempt ? 'attempting' : 'scheduled',
        waitsForCustomer: open.payments === 0,
        windowEndsAt: renewsAt,
        isHeld: false,
        ...present({ nextAttemptAt }),
      },
      sent: 0,
      begunAt,
      ...present({ lastSentAt }),
    },
    settings,
    now,
  );
  // West of Greenwich the month begins hours later.
  const isEarly = telling.kind === 'send' && month < lastMonth(cardEndsAt);
  return isEarly ? { kind: 'wait', because: 'gap', until: addMs(now, hourMs) } : telling;
}

/** Of the first message's delay and the gap after the last one, what ends later holds. */
function lastOf(
  { begunAt, lastWrittenAt }: WarnFacts,
  { firstAfterHours, gapHours }: Pick<MessageSettings, 'firstAfterHours' | 'gapHours'>,
): { readonly begunAt: Date; readonly lastSentAt?: Date } {
  const first = addMs(begunAt, firstAfterHours * hourMs);
  if (lastWrittenAt === undefined || addMs(lastWrittenAt, gapHours * hourMs) <= first) {
    return { begunAt };
  }
  return { begunAt, lastSentAt: lastWrittenAt };
}
