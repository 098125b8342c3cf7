import { minuteMs, secondMs } from '../../domain/clock.ts';
import { type CountTogether, RateLimiter } from '../server/rate-limiter.ts';
import { type LaneSettings, Lanes } from './lanes.ts';
import { LoopLoad } from './loop-load.ts';
import { Strangers } from './strangers.ts';

/** How much of one API a sender may have. Reads are GET and HEAD, writes all the rest. */
export interface BoundsSettings {
  /** Requests of one caller in a minute. */
  readonly writesPerMinute: number;
  readonly readsPerMinute: number;
  /** Requests of one caller that are worked on at once. */
  readonly writesInFlight: number;
  readonly readsInFlight: number;
  /** Requests in a minute of one address, of those that nobody has proved to be theirs. */
  readonly strangersPerMinute: number;
  /** Connections of one address at a time. */
  readonly connectionsPerAddress: number;
}

/** Does the work of a request as its sender's: within the sender's share, and not for nobody. */
export type WorkFor = <Result>(
  of: { readonly sender: string; readonly isRead: boolean; readonly signal: AbortSignal },
  work: () => Promise<Result>,
) => Promise<Result>;

export interface BoundsDeps {
  /** Milliseconds that only ever grow. */
  readonly elapsedMs: () => number;
  /** Counts with other processes, each kind by itself. */
  readonly countTogether?: (kind: 'reads' | 'writes' | 'webhooks') => CountTogether;
  /** Absent: work is everybody's. */
  readonly workFor?: WorkFor;
  /** How far behind the process is; absent: never. */
  readonly load?: LoopLoad;
}

/** The limits of one API, with what they have counted. */
export interface Bounds {
  readonly settings: BoundsSettings;
  readonly rates: { readonly reads: RateLimiter; readonly writes: RateLimiter };
  readonly lanes: { readonly reads: Lanes; readonly writes: Lanes };
  readonly strangers: Strangers;
  /** Pages and paths for which nobody has to say who they are. */
  readonly open: Lanes;
  /** Answers of refusal, by caller or address. */
  readonly refusals: Lanes;
  readonly workFor: WorkFor;
  readonly load: LoopLoad;
}

/** A minute's requests may come in half of it: then there is none left, and still nothing was flooded. */
const hurry = 2;
/** Requests of a caller that may begin at once, however low its limit is. */
const burst = 100;
/** Reads that do where many may follow in the same second: a second's at once would be felt by everybody else. */
const readBurst = 20;
/** Requests of a caller that wait, so that a lane that is full is a flood, and no burst. */
const waiting = 1_000;
/** Of an address: strangers send little at once. */
const strangersWaiting = 128;
const strangersInFlight = 2;
const openInFlight = 16;
/** Refusals of a sender that go out at once, and how many times a stranger's pace it has of them. */
const refusalBurst = 200;
const refusalPace = 5;

export function createBounds(deps: BoundsDeps, settings: BoundsSettings): Bounds {
  const { elapsedMs, countTogether, load = new LoopLoad(0) } = deps;
  const lanes = (of: LaneSettings) => new Lanes(of, elapsedMs);
  const strangersPerSecond = perSecond(settings.strangersPerMinute);
  const readsPerSecond = hurry * perSecond(settings.readsPerMinute);
  const writesPerSecond = hurry * perSecond(settings.writesPerMinute);
  const refusalsPerSecond = refusalPace * strangersPerSecond;
  return {
    settings,
    load,
    workFor: deps.workFor ?? ((_of, work) => work()),
    rates: {
      reads: new RateLimiter(settings.readsPerMinute, countTogether?.('reads')),
      writes: new RateLimiter(settings.writesPerMinute, countTogether?.('writes')),
    },
    lanes: {
      reads: lanes({
        inFlight: settings.readsInFlight,
        perSecond: readsPerSecond,
        burst: readsPerSecond < readBurst ? burst : readBurst,
        waiting,
      }),
      writes: lanes({
        inFlight: settings.writesInFlight,
        perSecond: writesPerSecond,
        burst: Math.max(burst, writesPerSecond),
        waiting,
      }),
    },
    strangers: new Strangers(
      lanes({
        inFlight: strangersInFlight,
        perSecond: strangersPerSecond,
        waiting: strangersWaiting,
      }),
      load,
    ),
    open: lanes({
      inFlight: openInFlight,
      perSecond: hurry * strangersPerSecond,
      waiting: strangersWaiting,
    }),
    refusals: lanes({
      inFlight: Number.POSITIVE_INFINITY,
      perSecond: refusalsPerSecond,
      burst: Math.max(refusalBurst, refusalsPerSecond),
      waiting,
    }),
  };
}

function perSecond(perMinute: number): number {
  return (perMinute * secondMs) / minuteMs;
}
