import { unitOf } from '../hash.ts';
import type { TrainingRow } from '../retry-facts.ts';

/** Payments of ten: 7 to learn from, 1 to choose by (forms, the number of trees), 2 held out to judge by. */
const [learnTo, tuneTo] = [0.7, 0.8];

/** Places of rows, by what they are for. */
export interface Parts {
  readonly learn: Uint32Array;
  readonly tune: Uint32Array;
  readonly judge: Uint32Array;
}

/** Whether models are judged by a payment's tries, and never made from them. */
export function isHeldOut(paymentId: string): boolean {
  return unitOf(paymentId, 'split') >= tuneTo;
}

/** By payment, so that no payment is judged by its own tries. */
export function splitRows(rows: readonly TrainingRow[]): Parts {
  const [learn, tune, judge]: [number[], number[], number[]] = [[], [], []];
  rows.forEach(({ facts }, at) => {
    const unit = unitOf(facts.paymentId, 'split');
    (unit < learnTo ? learn : unit < tuneTo ? tune : judge).push(at);
  });
  return {
    learn: Uint32Array.from(learn),
    tune: Uint32Array.from(tune),
    judge: Uint32Array.from(judge),
  };
}

/** Whether an item stays, by its place, where no more than so many shall, spread over all. */
export function everyNth(count: number, max: number): (item: unknown, at: number) => boolean {
  const step = Math.ceil(count / max);
  return (_, at) => at % step === 0;
}
