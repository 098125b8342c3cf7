import type { PolicySettings } from '../../domain/merchant.ts';
import { usableMethods } from '../../policy/gates.ts';
import { hourOf } from '../calendar.ts';
import { approvalShare, charge } from '../charge.ts';
import { type Observed, type SimulatedPolicy, toPlanInput } from '../observed.ts';
import { drawPayer, type Payer } from '../payer.ts';
import { buildWorld, type World } from '../world.ts';

export interface OracleInput {
  readonly seed: number;
  readonly days: number;
  readonly parameters?: World['parameters'];
  readonly maxAttempts: number;
}

/**
 * Knows all that the world hides, each hour's luck included, and tries at the first hour at which the
 * charge passes: what no policy behind the same gates can beat.
 */
export function clairvoyant(input: OracleInput): SimulatedPolicy {
  return oracle('clairvoyant', input, (world, payer, observed, fromHour) => {
    const tried = observed.tries.map(({ hour }) => hour);
    for (let hour = fromHour; hour <= observed.windowEndHour; hour += 1) {
      if (charge(world, payer, hour, tried).kind === 'approved') return hour;
    }
    return undefined;
  });
}

const lookAheadHours = 48;

/**
 * Knows why the charge failed and what is left of it at every hour, but not the luck of a try: the
 * hour with the best chance soon after the cause is gone.
 */
export function latentOracle(input: OracleInput): SimulatedPolicy {
  return oracle('latent_oracle', input, (world, payer, observed, fromHour) => {
    const tried = observed.tries.map(({ hour }) => hour);
    const lossPerHour = world.parameters.cancel.perDayShare / 24;
    let best: { hour: number; worth: number } | undefined;
    for (let hour = fromHour; hour <= observed.windowEndHour; hour += 1) {
      if (best !== undefined && hour > best.hour + lookAheadHours) break;
      const worth =
        approvalShare(world, payer, hour, tried) * Math.exp(-lossPerHour * (hour - fromHour));
      if (worth > (best?.worth ?? 0)) best = { hour, worth };
    }
    return best?.hour;
  });
}

type WantedHour = (
  world: World,
  payer: Payer,
  observed: Observed,
  fromHour: number,
) => number | undefined;

function oracle(name: string, input: OracleInput, wantedHour: WantedHour): SimulatedPolicy {
  const world = buildWorld(input);
  const { days: windowDays, maxAttempts } = input;
  const settings: PolicySettings = { kind: 'fixed', windowDays, maxAttempts, fixedDays: [] };
  return {
    name,
    next: (observed) => {
      if (observed.tries.length >= maxAttempts) return { kind: 'stop' };
      const [method] = usableMethods(toPlanInput(observed, settings));
      if (method === undefined) return { kind: 'wait' };
      const last = observed.tries.at(-1)?.hour ?? observed.failedHour;
      const fromHour = Math.max(last + 1, observed.nowHour, hourOf(method.allowedAt));
      const hour = wantedHour(world, drawPayer(world, observed.payment), observed, fromHour);
      return hour === undefined ? { kind: 'wait' } : { kind: 'try', hour };
    },
  };
}
