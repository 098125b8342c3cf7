import { hourMs, secondMs } from '../../domain/clock.ts';
import type { ChargeInput } from '../../psp/sandbox/server/charge-input.ts';
import { cardDeclined, type Verdict } from '../../psp/sandbox/server/outcomes.ts';
import { charge } from '../../simulator/charge.ts';
import { drawPayer, type Payer } from '../../simulator/payer.ts';
import { buildWorld, type World } from '../../simulator/world.ts';

/** Whose card it is, and when it failed: the world's hours are counted from there. */
export interface WorldCard {
  readonly seed: number;
  /** Days of the recovery's window. */
  readonly days: number;
  /** Which payer of the world. */
  readonly index: number;
  readonly failedAt: Date;
}

const shape = /^pm_sandbox_world_(\d{1,10})_(\d{1,2})_(\d{1,3})_(\d{1,10})--/;
const maxDays = 60;

/** The sandbox's payment method id that says all that the card's issuer has to know. */
export function worldCardId(card: WorldCard, suffix: string): string {
  const { seed, days, index, failedAt } = card;
  const unix = Math.floor(failedAt.getTime() / secondMs);
  return `pm_sandbox_world_${seed}_${days}_${index}_${unix}--${suffix}`;
}

export function readWorldCard(paymentMethodId: string): WorldCard | undefined {
  const [, seed, days, index, unix] = shape.exec(paymentMethodId) ?? [];
  if (seed === undefined || Number(days) < 1 || Number(days) > maxDays) return undefined;
  return {
    seed: Number(seed),
    days: Number(days),
    index: Number(index),
    failedAt: new Date(Number(unix) * secondMs),
  };
}

/** The same hour of the world for whoever asks; the window's end stands for all that comes after. */
function worldHour(card: WorldCard, payer: Payer, at: Date): number {
  const hours = Math.floor((at.getTime() - card.failedAt.getTime()) / hourMs);
  return payer.failedHour + Math.min(Math.max(hours, 0), card.days * 24);
}

/**
 * Answers the charges of cards of the simulated world as their issuers do: the cause of the failure
 * while it stands, outages, chance declines and the dislike of many tries. Other cards: undefined.
 */
export function createWorldIssuer(): (
  input: ChargeInput,
  at: Date,
  earlier: readonly Date[],
) => Verdict | undefined {
  const worldOf = keptWorlds();
  return (input, at, earlier) => {
    const card = readWorldCard(input.payment_method);
    if (card === undefined) return undefined;
    const world = worldOf(card);
    const payer = drawPayer(world, card.index);
    const triedHours = earlier.map((tried) => worldHour(card, payer, tried));
    const result = charge(world, payer, worldHour(card, payer, at), triedHours);
    if (result.kind === 'approved') return { network: payer.network, error: undefined };
    const { networkCode = '05', adviceCode } = result.decline;
    return cardDeclined(payer.network, networkCode, adviceCode);
  };
}

/** Worlds are some megabytes and take a while to build; a sandbox plays a few. */
const maxWorlds = 4;

function keptWorlds(): (of: Pick<WorldCard, 'seed' | 'days'>) => World {
  const worlds = new Map<string, World>();
  return ({ seed, days }) => {
    const key = `${seed}/${days}`;
    const world = worlds.get(key) ?? buildWorld({ seed, days });
    // The one that was used last stands last.
    worlds.delete(key);
    worlds.set(key, world);
    const [oldest] = worlds.keys();
    if (worlds.size > maxWorlds && oldest !== undefined) worlds.delete(oldest);
    return world;
  };
}
