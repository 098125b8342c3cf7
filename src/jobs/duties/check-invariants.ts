import { hourMs } from '../../domain/clock.ts';
import type { InvariantView } from '../../recovery/operator-api.ts';
import type { RecurrentDuty } from '../duty.ts';

export interface CheckInvariantsDeps {
  /** The promises of the engine, each with its count of breaches. */
  checkInvariants(): Promise<readonly InvariantView[]>;
  /** Shows the count in the metrics. */
  setBreaches(invariant: string, count: number): void;
  readonly log: { error(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/**
 * Four times a day. A check reads whole tables, so it should be rare; a breach is a defect that a
 * person has to look into, and it does not heal in a quarter of a day. The sandbox's clock stops at
 * each run: 112 stops on the way through a recovery of 28 days, where every hour would make 672.
 */
const everyMs = 6 * hourMs;

/** Counts the breaches of every promise, shows them in the metrics and logs each that is broken. */
export function checkInvariants(deps: CheckInvariantsDeps): RecurrentDuty {
  return {
    name: 'check-invariants',
    everyMs,
    async run() {
      for (const { name, promise, breaches } of await deps.checkInvariants()) {
        deps.setBreaches(name, breaches);
        if (breaches > 0) {
          deps.log.error(
            { invariant: name, promise, breaches },
            'a promise of the engine is broken',
          );
        }
      }
    },
  };
}
