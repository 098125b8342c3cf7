/**
 * Chance by address instead of by order: the same (seed, payer, hour, purpose) always draws the same
 * number, so that two policies meet the same luck (common random numbers).
 */
export const purposes = {
  latent: 1,
  funds: 2,
  falseDecline: 3,
  payerUpdate: 4,
  dailyCancel: 5,
  cancelAfterTry: 6,
  advice: 7,
  issuers: 8,
  policy: 9,
  irregularPay: 10,
  past: 11,
  pastPay: 12,
  messages: 13,
} as const;
export type Purpose = (typeof purposes)[keyof typeof purposes];

/** A number from 0 up to, not including, 1. All four are whole numbers. */
export function unitAt(seed: number, payer: number, hour: number, purpose: Purpose): number {
  let state = mixed((seed ^ Math.imul(purpose, 0x9e3779b1)) | 0);
  state = mixed(state ^ Math.imul(payer + 1, 0x85ebca6b));
  state = mixed(state ^ Math.imul(hour + 1, 0xc2b2ae35));
  return (state >>> 0) / 2 ** 32;
}

/** The finalizer of MurmurHash3 (Appleby, public domain): every bit depends on every other. */
function mixed(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** Draws one after the other, for what is settled before any policy acts. */
export interface Draws {
  /** From 0 up to, not including, 1. */
  unit(): number;
  normal(): number;
  exponential(mean: number): number;
  beta(a: number, b: number): number;
  /** One of the names, each as often as its weight says. */
  pick<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
}

/** The draws of one purpose for one payer (or one issuer). */
export function drawsOf(seed: number, payer: number, purpose: Purpose): Draws {
  let count = 0;
  const unit = (): number => {
    count += 1;
    return unitAt(seed, payer, count, purpose);
  };
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
  const gamma = (shape: number): number => gammaOf(shape, unit, normal);
  return {
    unit,
    normal,
    exponential: (mean) => -mean * Math.log(1 - unit()),
    beta: (a, b) => {
      const [x, y] = [gamma(a), gamma(b)];
      return x / (x + y);
    },
    pick: (weights) => picked(weights, unit()),
  };
}

/** Marsaglia and Tsang, 2000; shapes of 1 and more as they are, smaller ones by a power. */
function gammaOf(shape: number, unit: () => number, normal: () => number): number {
  if (shape < 1) return gammaOf(shape + 1, unit, normal) * (1 - unit()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal();
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - unit()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

function picked<Name extends string>(weights: Readonly<Record<Name, number>>, unit: number): Name {
  const names = Object.keys(weights) as Name[];
  let left = unit * names.reduce((sum, name) => sum + weights[name], 0);
  for (const name of names) {
    left -= weights[name];
    if (left < 0) return name;
  }
  const last = names.at(-1);
  if (last === undefined) throw new Error('weights are not empty');
  return last;
}
