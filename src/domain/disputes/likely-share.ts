/** Half of what the interval leaves out: five percent, as that of every other report. */
const tail = 0.025;
/** Halvings: the bounds are right to a millionth. */
const steps = 20;

/** The bounds of the share, from 0 to 1, that `part` of `whole` may stand for, with 95 % confidence. */
export interface LikelyShare {
  readonly low: number;
  readonly high: number;
}

/**
 * The exact interval of a share (Clopper and Pearson, 1934): the shares under which neither so many nor
 * so few would be rarer than one in forty. `whole` is at least 1.
 */
export function likelyShare(part: number, whole: number): LikelyShare {
  const logs = logFactorials(whole);
  const most = (share: number): number => tailOf(logs, { from: 0, to: part }, share);
  const least = (share: number): number => tailOf(logs, { from: part, to: whole }, share);
  return {
    low: part === 0 ? 0 : crossing((share) => least(share) < tail),
    high: part === whole ? 1 : crossing((share) => most(share) >= tail),
  };
}

/** The share up to which something holds, as it holds from 0 on. */
function crossing(holds: (share: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < steps; step += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The chance of `from` to `to` successes, both included, of as many tries as there are logs. */
function tailOf(
  logs: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
  share: number,
): number {
  const whole = logs.length - 1;
  const log = (n: number): number => logs[n] ?? 0;
  let sum = 0;
  for (let n = from; n <= to; n += 1) {
    const ways = log(whole) - log(n) - log(whole - n);
    sum += Math.exp(ways + n * Math.log(share) + (whole - n) * Math.log1p(-share));
  }
  return sum;
}

function logFactorials(upTo: number): readonly number[] {
  const logs = [0];
  for (let n = 1; n <= upTo; n += 1) logs.push((logs[n - 1] ?? 0) + Math.log(n));
  return logs;
}

/** With fewer than these decided, the interval of a share is wider than anybody can act on. */
export const leastDecided = 10;
