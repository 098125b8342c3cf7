import { secondMs } from '../../domain/clock.ts';
import type { StatementFate } from '../database/simulated-session.ts';
import type { Draws } from '../schedule/draws.ts';
import type { ExchangeFate, WireRequest } from '../wire/wire.ts';
import { serviceConfig } from './service-process.ts';
import { calm, type Swarm } from './swarm.ts';

/** What happens to a process at a moment of its life. */
export type Blow = 'none' | 'killed' | 'held' | 'suspended' | 'clock_set';

/** What goes wrong at each moment, as the seed's swarm says; nothing once it is calm. */
export interface Weather {
  /** It is calm until it begins. */
  begin(): void;
  setCalm(): void;
  readonly isCalm: boolean;
  statementFate(): StatementFate;
  /** The way of a question for the database's time, and of its answer. */
  timeFate(): { readonly there: number; readonly back: number };
  exchangeFate(request: Omit<WireRequest, 'sentMs'>): ExchangeFate;
  blow(): Blow;
  /** Whether an answer of our own API is lost on its way. */
  losesAcknowledgement(): boolean;
}

export function createWeather(swarm: Swarm, draws: Draws): Weather {
  let isCalm = true;
  const now = () => (isCalm ? calm : swarm);

  return {
    begin() {
      isCalm = false;
    },
    setCalm() {
      isCalm = true;
    },
    get isCalm() {
      return isCalm;
    },
    timeFate() {
      const isSlow = draws.chance(now().database.slow);
      const maxMs = isSlow ? 4 * secondMs : 1;
      return { there: 0.2 + way(draws, maxMs), back: 0.2 + way(draws, maxMs) };
    },
    statementFate: () => drawStatement(draws, now().database),
    exchangeFate: (request) => drawExchange(draws, now().http, request),
    blow() {
      const { killed, held, suspended } = now().processes;
      const jumps = isCalm ? 0 : swarm.clocks.jumps;
      let fate = draws.unit();
      for (const [share, blow] of [
        [killed, 'killed'],
        [held, 'held'],
        [suspended, 'suspended'],
        [jumps, 'clock_set'],
      ] as const) {
        if (fate < share) return blow;
        fate -= share;
      }
      return 'none';
    },
    losesAcknowledgement: () => !isCalm && draws.chance(swarm.acknowledgementsLost),
  };
}

/** Whoever stands in between may send a request twice, unless its server takes each for a new one. */
function mayRepeat({ origin, method }: Omit<WireRequest, 'sentMs'>): boolean {
  return !(origin.includes('worldpay') && method === 'POST');
}

function serverFault(draws: Draws, faults: Swarm['http']): ExchangeFate['server'] {
  const fate = draws.unit();
  if (fate < faults.errorBefore) return 'error_before';
  return fate < faults.errorBefore + faults.errorAfter ? 'error_after' : 'none';
}

function drawStatement(draws: Draws, faults: Swarm['database']): StatementFate {
  const isSlow = draws.chance(faults.slow);
  const waitMs = isSlow ? way(draws, 8 * secondMs) : 0.2 + draws.unit();
  const answerMs = isSlow ? way(draws, 4 * secondMs) : 0;
  const fate = draws.unit();
  if (fate < faults.cutBefore) return { waitMs, answerMs, cut: 'before' };
  const isCut = fate < faults.cutBefore + faults.cutAfter;
  return { waitMs, answerMs, cut: isCut ? 'after' : 'never' };
}

function drawExchange(
  draws: Draws,
  faults: Swarm['http'],
  request: Omit<WireRequest, 'sentMs'>,
): ExchangeFate {
  const ordinary = () => 1 + way(draws, faults.slowMs);
  const isLate = draws.chance(faults.late);
  const isLateThere = isLate && draws.chance(0.5);
  const isLostThere = draws.chance(faults.requestLost);
  const isLostBack = draws.chance(faults.answerLost);
  return {
    connectMs: way(draws, draws.chance(faults.late / 4) ? 2 * lateMs(draws) : 20),
    isRefused: draws.chance(faults.refused),
    requestMs: isLostThere ? -1 : isLateThere ? lateThereMs(draws) : ordinary(),
    againMs: mayRepeat(request) && draws.chance(faults.again) ? way(draws, maxAgainMs) : -1,
    answerMs: isLostBack ? -1 : isLate && !isLateThere ? lateMs(draws) : ordinary(),
    server: serverFault(draws, faults),
    resets: draws.chance(0.6),
  };
}

function way(draws: Draws, maxMs: number): number {
  return Math.ceil(draws.unit() ** 2 * maxMs);
}

/** About the time-out of the one who waits, before it or after. */
function lateMs(draws: Draws): number {
  return Math.ceil(serviceConfig.pspTimeoutMs * (0.3 + 2 * draws.unit()));
}

/** The service counts on it that no request is on its way for longer than one time-out. */
function lateThereMs(draws: Draws): number {
  return Math.ceil(serviceConfig.pspTimeoutMs * 0.95 * draws.unit());
}

/** With the way there, still within one time-out. */
const maxAgainMs = 0.05 * serviceConfig.pspTimeoutMs;
