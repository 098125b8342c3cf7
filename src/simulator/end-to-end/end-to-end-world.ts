import type { Decline } from '../../domain/declines/decline.ts';
import { type ChargeResult, charge, firstDecline } from '../charge.ts';
import { answerOf } from '../messages/answer-of.ts';
import { drawPayer, type Payer } from '../payer.ts';
import { cancelsAfterTry, type OwnEnd, ownEnd } from '../payer-life.ts';
import type { World } from '../world.ts';

/**
 * The simulated payers as the outside of a running service: they fail, pay by themselves and have
 * their cards renewed at their hours, and their issuers answer what the service charges.
 */
export interface EndToEndWorld {
  readonly failures: number;
  readonly payers: readonly Payer[];
  /** What payers' merchant reports in an hour of the world, in order. */
  eventsAt(hour: number): readonly EndToEndEvent[];
  /** What the issuer says of a charge; it counts as a try. */
  charge(index: number, hour: number): ChargeResult;
  /** A message reached the payer, who may act on it at an hour to come, or cancel. */
  written(index: number, message: { readonly hour: number; readonly number: number }): void;
  /** A charge of the method that the payer gave after a message: it goes through. */
  chargeAnswered(index: number): void;
  /** Whether a payer's money has come by now, whoever asked for it. */
  hasPaid(index: number): boolean;
  /** Whether the merchant wants a charge: not of a payer who has cancelled. */
  mayRetry(index: number, hour: number): boolean;
}

export type EndToEndEvent =
  | { readonly kind: 'failed'; readonly payer: Payer; readonly decline: Decline }
  /** Another customer's renewal, which went through. */
  | { readonly kind: 'renewed_plan'; readonly payer: Payer }
  | { readonly kind: 'paid'; readonly payer: Payer }
  | { readonly kind: 'new_card'; readonly payer: Payer }
  | LinkEvent;

/** The payer opens the link of a message, and goes away again, or gives a method there. */
export interface LinkEvent {
  readonly kind: 'opens' | 'acts';
  readonly payer: Payer;
}

export function isLinkEvent(event: EndToEndEvent): event is LinkEvent {
  return event.kind === 'opens' || event.kind === 'acts';
}

interface Life {
  readonly payer: Payer;
  readonly own: OwnEnd;
  readonly triedHours: number[];
  hasPaid: boolean;
  hasCancelled: boolean;
}

export function endToEndWorld(world: World, failures: number): EndToEndWorld {
  const lives = Array.from({ length: failures }, (_, index): Life => {
    const payer = drawPayer(world, index);
    return {
      payer,
      own: ownEnd(world, payer),
      triedHours: [],
      hasPaid: false,
      hasCancelled: false,
    };
  });
  const events = new Map<number, EndToEndEvent[]>();
  const at = (hour: number, event: EndToEndEvent): void => {
    const known = events.get(hour);
    if (known === undefined) events.set(hour, [event]);
    else known.push(event);
  };
  for (const { payer, own } of lives) {
    const { cause, failedHour } = payer;
    at(failedHour, { kind: 'failed', payer, decline: firstDecline(world, payer) });
    at(failedHour, { kind: 'renewed_plan', payer });
    if (own.kind === 'paid_by_payer') at(own.hour, { kind: 'paid', payer });
    const curedHour = cause.kind === 'lifecycle' ? cause.curedHour : Number.POSITIVE_INFINITY;
    if (Number.isFinite(curedHour)) at(curedHour, { kind: 'new_card', payer });
  }
  const lifeOf = (index: number): Life => {
    const life = lives[index];
    if (life === undefined) throw new RangeError(`there is no payer ${index}`);
    return life;
  };
  return {
    failures,
    payers: lives.map(({ payer }) => payer),
    // Who has paid a retry, or has left, pays no more by themselves, and opens no link.
    eventsAt: (hour) =>
      (events.get(hour) ?? []).filter((event) => {
        const { kind, payer } = event;
        const life = lifeOf(payer.index);
        if (kind !== 'paid' && !isLinkEvent(event)) return true;
        const isOver = life.hasPaid || hasLeft(life, hour);
        if (kind === 'paid' && !isOver) life.hasPaid = true;
        return !isOver;
      }),
    written(index, message) {
      const life = lifeOf(index);
      const { payer } = life;
      const answer = answerOf(world, payer, message);
      if (answer.kind === 'cancels') life.hasCancelled = true;
      // The next hour is the first that is played after this one.
      const next = message.hour + 1;
      if (answer.kind === 'opens') at(next, { kind: 'opens', payer });
      if (answer.kind === 'acts') at(Math.max(next, answer.hour), { kind: 'acts', payer });
    },
    chargeAnswered(index) {
      lifeOf(index).hasPaid = true;
    },
    hasPaid: (index) => lifeOf(index).hasPaid,
    charge(index, hour) {
      const life = lifeOf(index);
      const result = charge(world, life.payer, hour, life.triedHours);
      life.triedHours.push(hour);
      if (result.kind === 'approved') life.hasPaid = true;
      else life.hasCancelled ||= cancelsAfterTry(world, life.payer, hour);
      return result;
    },
    mayRetry: (index, hour) => !hasLeft(lifeOf(index), hour),
  };
}

function hasLeft({ own, hasCancelled }: Life, hour: number): boolean {
  return hasCancelled || (own.kind === 'cancelled' && own.hour <= hour);
}
