import type { Decline } from '../domain/declines/decline.ts';
import { normaliseDecline } from '../domain/declines/normalise-decline.ts';
import { purposes, unitAt } from './draws.ts';
import { hoursToFunds, isFunded } from './funds.ts';
import type { Parameters } from './parameters.ts';
import type { Payer } from './payer.ts';
import type { World } from './world.ts';

/** What the issuer says of one charge. */
export type ChargeResult =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly decline: Decline };

/**
 * Charges the payer's card at an hour. The luck is that of the payer's hour; earlier tries matter
 * only by the issuer's dislike of many (`triedHours`, rising). Pure.
 */
export function charge(
  world: World,
  payer: Payer,
  hour: number,
  triedHours: readonly number[],
): ChargeResult {
  if (world.issuers.isDown(payer.issuer, hour)) return declined(payer, '91');
  const code = causeCode(payer, hour);
  if (code !== undefined) return declined(payer, code, adviceOf(world, payer, hour, code));
  if (isFalselyDeclined(world, payer, hour, triedHours)) return declined(payer, '05');
  return { kind: 'approved' };
}

/** Whether the issuer declines at this hour what it has no cause to. */
export function isFalselyDeclined(
  world: World,
  payer: Payer,
  hour: number,
  triedHours: readonly number[],
): boolean {
  const share = falseShare(world, payer, hour, triedHours);
  return unitAt(world.seed, payer.index, hour, purposes.falseDecline) < share;
}

/** The chance of an approval at an hour for one who knows the payer's state, but not the luck. */
export function approvalShare(
  world: World,
  payer: Payer,
  hour: number,
  triedHours: readonly number[],
): number {
  if (causeCode(payer, hour) !== undefined) return 0;
  return Math.max(0, 1 - falseShare(world, payer, hour, triedHours));
}

function falseShare(
  world: World,
  payer: Payer,
  hour: number,
  triedHours: readonly number[],
): number {
  return (
    world.issuers.falseDeclineShare(payer.issuer, hour) +
    velocityShare(world.parameters, hour, triedHours)
  );
}

/** What the first charge was declined with: its cause shows, whatever the luck of the hour. */
export function firstDecline(world: World, payer: Payer): Decline {
  const code = causeCode(payer, payer.failedHour) ?? '05';
  return toDecline(payer, code, adviceOf(world, payer, payer.failedHour, code));
}

/** The code of the cause where it still stands at the hour. */
function causeCode({ cause }: Payer, hour: number): string | undefined {
  switch (cause.kind) {
    case 'funds':
      if (isFunded(cause.funded, hour)) return undefined;
      return cause.isHidden ? '05' : '51';
    case 'block':
      return hour < cause.endHour ? cause.code : undefined;
    case 'lifecycle':
      return hour < cause.curedHour ? cause.code : undefined;
    case 'technical':
      return hour < cause.endHour ? '96' : undefined;
    case 'terminal':
      return cause.code;
    case 'false_decline':
      return undefined;
  }
}

function velocityShare(
  { velocity }: Parameters,
  hour: number,
  triedHours: readonly number[],
): number {
  const last = triedHours.at(-1);
  const isSoon = last !== undefined && hour - last < 24;
  let recent = 0;
  for (const tried of triedHours) if (hour - tried < 7 * 24) recent += 1;
  // This try counts too.
  const further = Math.max(0, recent + 1 - velocity.freeTriesIn7Days);
  return (isSoon ? velocity.within24HoursShare : 0) + further * velocity.perFurtherTryShare;
}

const waitAdvice = [
  { advice: '24', hours: 1 },
  { advice: '25', hours: 24 },
  { advice: '26', hours: 48 },
  { advice: '27', hours: 96 },
  { advice: '28', hours: 144 },
  { advice: '29', hours: 192 },
  { advice: '30', hours: 240 },
] as const;

/** Mastercard's advice with a decline; undefined where there is none. */
function adviceOf(world: World, payer: Payer, hour: number, code: string): string | undefined {
  if (payer.network !== 'mastercard') return undefined;
  const draw = (count: number) =>
    unitAt(world.seed, payer.index, hour * 8 + count, purposes.advice);
  const { cause } = payer;
  if (cause.kind === 'terminal') return draw(0) < 0.5 ? '03' : '21';
  if (cause.kind !== 'funds' || code !== '51') return undefined;
  const { waitAdviceShare, noiseSdDays, accuracy } = world.parameters.advice;
  if (draw(0) >= waitAdviceShare) return '02';
  if (accuracy <= 0) return waitAdvice[Math.floor(draw(1) * waitAdvice.length)]?.advice;
  const normal = Math.sqrt(-2 * Math.log(1 - draw(1))) * Math.cos(2 * Math.PI * draw(2));
  const noise = normal * noiseSdDays * 24 * ((1 - accuracy) / accuracy);
  const told = (hoursToFunds(cause.funded, hour) ?? Number.POSITIVE_INFINITY) + noise;
  return nearestAdvice(told);
}

/** The first wait that is long enough, so that exact advice leads to a funded account. */
function nearestAdvice(hours: number): string {
  return waitAdvice.find((item) => item.hours >= hours)?.advice ?? '30';
}

function declined(payer: Payer, code: string, adviceCode?: string): ChargeResult {
  return { kind: 'declined', decline: toDecline(payer, code, adviceCode) };
}

/** Declines by what was said: there are a few dozen, and each is said a hundred thousand times. */
const declines = new Map<string, Decline>();

function toDecline({ network }: Payer, networkCode: string, adviceCode?: string): Decline {
  const key = `${network} ${networkCode} ${adviceCode ?? ''}`;
  const known = declines.get(key);
  if (known !== undefined) return known;
  const said = { psp: 'sandbox', network, networkCode } as const;
  const decline = normaliseDecline(adviceCode === undefined ? said : { ...said, adviceCode });
  declines.set(key, decline);
  return decline;
}
