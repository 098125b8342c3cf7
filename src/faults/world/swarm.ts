import { hourMs, minuteMs, secondMs } from '../../domain/clock.ts';
import type { Draws } from '../schedule/draws.ts';
import { goodManners, type MerchantManners } from './simulated-merchant.ts';

/** Which faults a seed has, and how strong each is: shares of the calls, statements or debts. */
export interface Swarm {
  readonly workers: number;
  readonly http: HttpFaults;
  readonly database: DatabaseFaults;
  readonly processes: ProcessFaults;
  readonly clocks: ClockFaults;
  readonly manners: readonly MerchantManners[];
  /** Debts that are reported by two channels. */
  readonly twoChannels: number;
  /** Of debts at Stripe, those whose invoice is kept there. */
  readonly livesAtPsp: number;
  /** Debts that are paid beside the service. */
  readonly foreign: number;
  /** Nobody connected Stripe's webhooks: all that is known of it was asked. */
  readonly isStripeSilent: boolean;
  /** Of the merchants, those that move to another account at Stripe. */
  readonly accountsReplaced: number;
  /** Debts that the merchant stops. */
  readonly stops: number;
  /** Debts that the merchant stops just when it has said yes to a charge. */
  readonly stopsWhenAsked: number;
  /** Of answers of our own API, those that the caller never sees. */
  readonly acknowledgementsLost: number;
  /** Once the database goes back to an earlier copy of itself. */
  readonly isRestored: boolean;
  /** Stripe says of successes of long ago that they were none. */
  readonly contradicts: boolean;
}

export interface HttpFaults {
  readonly refused: number;
  readonly requestLost: number;
  readonly answerLost: number;
  readonly late: number;
  readonly again: number;
  readonly errorBefore: number;
  readonly errorAfter: number;
  /** The longest ordinary way of a request or an answer. */
  readonly slowMs: number;
}

export interface DatabaseFaults {
  readonly cutBefore: number;
  readonly cutAfter: number;
  readonly slow: number;
}

/** Shares of the statements and requests of a process at which it happens. */
export interface ProcessFaults {
  readonly killed: number;
  readonly held: number;
  readonly suspended: number;
  readonly maxHeldMs: number;
}

export interface ClockFaults {
  readonly maxOffsetMs: number;
  readonly maxDrift: number;
  readonly jumps: number;
  readonly pspOffsetMs: number;
}

/** No faults at all: the phase in which everything has to settle. */
export const calm: Pick<Swarm, 'http' | 'database' | 'processes'> = {
  http: {
    refused: 0,
    requestLost: 0,
    answerLost: 0,
    late: 0,
    again: 0,
    errorBefore: 0,
    errorAfter: 0,
    slowMs: 40,
  },
  database: { cutBefore: 0, cutAfter: 0, slow: 0 },
  processes: { killed: 0, held: 0, suspended: 0, maxHeldMs: secondMs },
};

export function drawSwarm(draws: Draws): Swarm {
  /** Off in half of the seeds; else anything up to the most, small shares as likely as large. */
  const share = (max: number) => (draws.chance(0.5) ? 0 : max * draws.unit() ** 2);
  const clocksDiffer = draws.chance(0.5);
  return {
    workers: draws.whole(1, 3),
    http: {
      refused: share(0.2),
      requestLost: share(0.3),
      answerLost: share(0.4),
      late: share(0.3),
      again: share(0.3),
      errorBefore: share(0.3),
      errorAfter: share(0.3),
      slowMs: draws.pick([40, 400, 4_000]),
    },
    database: { cutBefore: share(0.05), cutAfter: share(0.05), slow: share(0.2) },
    processes: {
      killed: share(0.03),
      held: share(0.05),
      suspended: share(0.02),
      maxHeldMs: draws.pick([10 * secondMs, 3 * minuteMs, 20 * minuteMs]),
    },
    clocks: {
      maxOffsetMs: clocksDiffer
        ? draws.pick([secondMs, 4 * secondMs, 5 * minuteMs, 2 * hourMs])
        : 0,
      maxDrift: clocksDiffer ? draws.pick([0, 0.0001, 0.001]) : 0,
      jumps: clocksDiffer ? share(0.02) : 0,
      pspOffsetMs: draws.chance(0.3) ? draws.whole(-10, 10) * minuteMs : 0,
    },
    manners: [drawManners(draws, share), drawManners(draws, share)],
    twoChannels: share(0.6),
    livesAtPsp: draws.pick([0, 0.5, 1]),
    foreign: share(0.4),
    stops: share(0.4),
    isStripeSilent: draws.chance(0.3),
    accountsReplaced: draws.chance(0.5) ? 0 : 1,
    stopsWhenAsked: draws.fork('stops when asked').chance(0.3) ? 0.2 : 0,
    acknowledgementsLost: share(0.3),
    isRestored: draws.fork('restored').chance(0.2),
    contradicts: draws.fork('contradicts').chance(0.3),
  };
}

function drawManners(draws: Draws, share: (max: number) => number): MerchantManners {
  if (draws.chance(0.3)) return goodManners;
  return {
    failing: share(0.5),
    malformed: share(0.3),
    limiting: share(0.3),
    amountChanges: share(0.5),
    namesMethods: share(1),
    forgetful: draws.chance(0.5),
    deaf: share(0.6),
  };
}
