import type { DisputeStore } from '../../disputes/dispute-ports.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Random } from '../../domain/random.ts';
import type { ClockApi, OperatorApi } from '../../recovery/operator-api.ts';
import type { HttpLog } from '../server/http-log.ts';

/** What the operator's server is made of. */
export interface OperatorDeps {
  readonly api: OperatorApi;
  /** The sandbox's clock; absent outside the sandbox, where its routes answer 404. */
  readonly clock?: ClockApi;
  readonly disputes: Pick<DisputeStore, 'list'> & Clock;
  readonly operatorToken: string;
  /** Whether this process can do its work now: the database answers, the schema is there. */
  ready(): Promise<boolean>;
  /** Everything measured, in Prometheus' text format. */
  metrics(): Promise<string>;
  /** Where PSPs reach the disputes listener, without a slash at its end. */
  readonly disputesUrl: string;
  readonly random: Random;
  readonly log: HttpLog;
}
