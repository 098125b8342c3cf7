import { purposes, unitAt } from '../draws.ts';
import type { Parameters } from '../parameters.ts';
import type { Payer } from '../payer.ts';
import type { World } from '../world.ts';

/** What a payer does about a message: opens its link and goes away again, gives a working method later, cancels. */
export type Answer =
  | { readonly kind: 'acts'; readonly hour: number }
  | { readonly kind: 'opens' }
  | { readonly kind: 'cancels' }
  | { readonly kind: 'none' };

/** By row 31 of the parameters. `number`: the how many of its payment it is. */
export function answerOf(
  { parameters, seed }: Pick<World, 'parameters' | 'seed'>,
  { index }: Pick<Payer, 'index'>,
  { hour, number }: { readonly hour: number; readonly number: number },
): Answer {
  const { messages } = parameters;
  // By the message's number, not its time: the same payer reads the same message whatever the settings.
  const unit = (draw: number) => unitAt(seed, index, number * 10 + draw, purposes.messages);
  if (unit(0) < messages.cancelShare) return { kind: 'cancels' };
  const opened = [messages.openedFirstShare, messages.openedSecondShare][number - 1];
  if (unit(1) >= (opened ?? messages.openedFurtherShare)) return { kind: 'none' };
  if (unit(2) >= messages.finishedShare) return { kind: 'opens' };
  const later = Math.ceil(-Math.log(1 - unit(3)) * messages.meanHours);
  return { kind: 'acts', hour: hour + later };
}

/** Nobody else writes to these payers, so fewer of them act by themselves. */
export function unreminded(parameters: Parameters): Parameters {
  const { payerUpdate, messages } = parameters;
  const hardCodeFactor = payerUpdate.hardCodeFactor * messages.unremindedShare;
  return { ...parameters, payerUpdate: { ...payerUpdate, hardCodeFactor } };
}
