import { mayTryAgain } from '../../domain/declines/decline.ts';
import type { MessageSettings } from '../../domain/messages/message-settings.ts';
import { present } from '../../domain/present.ts';
import { type MessageArm, messageArm, whenToTell } from '../../policy/messages/when-to-tell.ts';
import { hourOf, instantOf } from '../calendar.ts';
import type { SimulatedPolicy } from '../observed.ts';
import { type Parameters, parameters as published } from '../parameters.ts';
import { drawPayer, type Payer } from '../payer.ts';
import { type Played, playPayment } from '../play-payment.ts';
import { buildWorld, type World } from '../world.ts';
import { answerOf, unreminded } from './answer-of.ts';

export interface MessageRun {
  readonly seed: number;
  readonly failures: number;
  readonly days: number;
  readonly policy: SimulatedPolicy;
  readonly settings: MessageSettings;
  /** Another world than the published one. */
  readonly parameters?: Parameters;
}

/** A payment that waited for its customer, as a merchant would see it, and as it would have gone without. */
export interface MessagedPayment {
  readonly index: number;
  readonly arm: MessageArm;
  readonly amountMinor: number;
  readonly isRecovered: boolean;
  readonly messages: number;
  readonly stoppedByMessage: boolean;
  /** The same payment and the same luck, had nobody written. No merchant could know. */
  readonly isRecoveredUntold: boolean;
  /** The same had it not been held out. */
  readonly isRecoveredTold: boolean;
}

/**
 * Plays failures of which each waits for its customer: the service's own rule says when a message is sent,
 * its own hash who is held out. A payment whose first decline may be tried again is left out: while a retry
 * is planned nobody is written to.
 */
export function runMessages(input: MessageRun): readonly MessagedPayment[] {
  const world = buildWorld({ ...input, parameters: unreminded(input.parameters ?? published) });
  const payments: MessagedPayment[] = [];
  for (let index = 0; index < input.failures; index += 1) {
    const payer = drawPayer(world, index);
    const untold = playPayment(world, payer, input.policy);
    if (mayTryAgain(untold.firstDecline.category)) continue;
    const told = tell(world, payer, { untold, settings: input.settings });
    const arm = messageArm(nameOf(index), input.settings.holdoutShare);
    const isTold = arm === 'messages';
    payments.push({
      index,
      arm,
      amountMinor: payer.amountMinor,
      isRecovered: isTold ? told.isRecovered : isRecovered(untold),
      messages: isTold ? told.messages : 0,
      stoppedByMessage: isTold && told.isStopped,
      isRecoveredUntold: isRecovered(untold),
      isRecoveredTold: told.isRecovered,
    });
  }
  return payments;
}

function nameOf(index: number) {
  return { merchantId: 'simulated', invoiceId: `in_${index}` };
}

function isRecovered({ end }: Pick<Played, 'end'>): boolean {
  return end === 'recovered_by_retry' || end === 'paid_by_payer';
}

interface Told {
  readonly isRecovered: boolean;
  readonly messages: number;
  /** A message made the payer cancel. */
  readonly isStopped: boolean;
}

/** The same payment with messages, until the payer acts, cancels, or the recovery ends by itself. */
function tell(
  world: World,
  payer: Payer,
  { untold, settings }: { readonly untold: Played; readonly settings: MessageSettings },
): Told {
  const begunAt = instantOf(payer.failedHour);
  const windowEndsAt = instantOf(payer.failedHour + world.days * 24);
  let at = begunAt;
  let sent = 0;
  let lastSentAt: Date | undefined;
  for (;;) {
    const telling = whenToTell(
      {
        payment: { state: 'scheduled', waitsForCustomer: true, windowEndsAt, isHeld: false },
        address: 'known',
        hasRefused: false,
        begunAt,
        sent,
        ...present({ lastSentAt }),
      },
      settings,
      at,
    );
    if (telling.kind === 'wait') at = telling.until;
    const hour = hourOf(at);
    if (telling.kind === 'end' || hour >= untold.endHour) {
      return { isRecovered: isRecovered(untold), messages: sent, isStopped: false };
    }
    if (telling.kind === 'wait') continue;
    sent += 1;
    lastSentAt = at;
    const answer = answerOf(world, payer, { hour, number: sent });
    if (answer.kind === 'cancels') return { isRecovered: false, messages: sent, isStopped: true };
    if (answer.kind === 'acts' && answer.hour < untold.endHour) {
      return { isRecovered: true, messages: sent, isStopped: false };
    }
  }
}
