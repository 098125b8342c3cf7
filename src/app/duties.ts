import { invariant } from '../domain/errors.ts';
import { checkNowDutyName } from '../jobs/duties/check-invariants.ts';
import { destroyCredentials } from '../jobs/duties/destroy-credentials.ts';
import { keepAnalytics } from '../jobs/duties/keep-analytics.ts';
import { keepRollups } from '../jobs/duties/keep-rollups.ts';
import { lookUpDisputes } from '../jobs/duties/look-up-disputes.ts';
import { matchDisputes } from '../jobs/duties/match-disputes.ts';
import { purgeIdempotencyKeys } from '../jobs/duties/purge-idempotency-keys.ts';
import { reconcileNowDutyName } from '../jobs/duties/reconcile.ts';
import {
  type ReplayInput,
  replayDutyName,
  replayExhausted,
  replayRequest,
} from '../jobs/duties/replay-exhausted.ts';
import { whatIfDutyName, whatIfRequest } from '../jobs/duties/run-what-ifs.ts';
import { settleSubmissions } from '../jobs/duties/settle-submissions.ts';
import { trainingRequest, trainModelDutyName } from '../jobs/duties/train-models.ts';
import { trimHistory } from '../jobs/duties/trim-history.ts';
import { warnOfDeadlines } from '../jobs/duties/warn-of-deadlines.ts';
import type { Duty } from '../jobs/duty.ts';
import { createDutyClock } from '../jobs/duty-clock.ts';
import { type DutyQueue, startDutyQueue } from '../jobs/duty-queue.ts';
import { createDutyTimes, type DutyTimes } from '../jobs/duty-times.ts';
import { destroyRetiredCredentials } from '../store/admin/destroy-retired-credentials.ts';
import { clockOffsetSql } from '../store/clock/sandbox-clock.ts';
import { archiveAnalytics, removeAnalytics } from '../store/disputes/analytics-retention.ts';
import { warnDueDisputes } from '../store/disputes/warn-due-disputes.ts';
import { createIdempotencyKeys } from '../store/idempotency-keys.ts';
import { replayExhausted as queueExhausted } from '../store/reports/replay-exhausted.ts';
import { trimDeliveryTries, trimPspEvents, trimRequests } from '../store/retention.ts';
import { countCardLimits } from '../store/rollups/count-card-limits.ts';
import { sweepPaymentRollups } from '../store/rollups/count-payments.ts';
import { rollUpCharges, rollUpPayments } from '../store/rollups/roll-up.ts';
import { accountingDuties } from './accounting-side.ts';
import type { AppContext, Closable } from './context.ts';
import type { AnswersSide } from './disputes/answers.ts';
import type { DisputesSide } from './disputes/disputes-side.ts';
import type { Engine } from './engine.ts';
import { reconciliationDuties } from './reconciliation-side.ts';
import type { ServiceClock } from './time/service-clock.ts';

type DutyDisputes = Pick<DisputesSide, 'matchAgain' | 'lookUpDue'> & Pick<AnswersSide, 'settleDue'>;

/** Deliveries that one step of a bulk replay queues: some ten milliseconds of work. */
const replayBatch = 1_000;

function dutiesOf(context: AppContext, engine: Engine, disputes: DutyDisputes): readonly Duty[] {
  const { config, db, metrics, log } = context;
  const keys = createIdempotencyKeys({ db });
  return [
    ...accountingDuties(context),
    ...reconciliationDuties(context, engine.deps),
    purgeIdempotencyKeys({ purge: (at, limit) => keys.purgeExpired(at, limit) }),
    matchDisputes({ matchAgain: (input) => disputes.matchAgain(input) }),
    lookUpDisputes({ lookUpDue: (input) => disputes.lookUpDue(input) }),
    settleSubmissions({ settleDue: (input) => disputes.settleDue(input) }),
    warnOfDeadlines({
      takeDue: (input) => warnDueDisputes(db, input),
      countWarning: (psp, days) => metrics.countDisputeWarning(psp, days),
      log,
    }),
    destroyCredentials({ destroy: (input) => destroyRetiredCredentials(db, input) }),
    trimHistory({
      trimRequests: (before, limit) => trimRequests(db, before, limit),
      trimDeliveryTries: (before, limit) => trimDeliveryTries(db, before, limit),
      trimPspEvents: (before, limit) => trimPspEvents(db, before, limit),
    }),
    keepAnalytics({
      retention: {
        activeMonths: config.analyticsActiveMonths,
        keptMonths: config.analyticsKeptMonths,
      },
      archive: (before, limit) => archiveAnalytics(db, before, limit),
      remove: (before, limit) => removeAnalytics(db, before, limit),
    }),
    keepRollups({
      rollUpPayments: (input) => rollUpPayments(db, input),
      rollUpCharges: (input) => rollUpCharges(db, input),
      countCardLimits: (input) => countCardLimits(db, input),
      sweep: () => sweepPaymentRollups(db),
    }),
    replayExhausted({
      replay: (input) => queueExhausted(db, { ...input, limit: replayBatch }),
      wakeDeliveries: () => engine.deps.wake.deliveries(),
    }),
    ...engine.learned.duties,
  ];
}

/** The background work of this process: run by a worker, asked for by the operator's API. */
export interface Duties extends Closable {
  /** When duties are due, in whatever process. */
  readonly times: DutyTimes;
  /** `known`: the same one goes on already. */
  requestReplay(input: ReplayInput): Promise<'queued' | 'known'>;
  /** A training of one scope's model. */
  requestTraining(merchantId: string): Promise<void>;
  /** The comparisons that are under way. */
  requestReconciliation(key: string): Promise<void>;
  /** A check of everything that is stored. */
  requestCheck(checkId: string): Promise<void>;
  /** A what-if's back-test. */
  requestWhatIf(input: { readonly whatIfId: string; readonly requestedAt: Date }): Promise<void>;
}

export async function startDuties(
  context: AppContext,
  parts: {
    readonly engine: Engine;
    readonly disputes: DutyDisputes;
    readonly serviceClock: ServiceClock;
    readonly connectionString: string;
  },
): Promise<Duties> {
  const { config, db } = context;
  const { outside } = context;
  const duties = dutiesOf(context, parts.engine, parts.disputes).filter(
    ({ name }) => outside?.hasDuty(name) ?? true,
  );
  const times = createDutyTimes(
    { query: (statement, values) => db.query(statement, values) },
    duties,
  );
  const work = config.roles.includes('worker');
  // A process that only takes merchants' requests neither runs duties nor asks for any.
  const isNeeded = work || config.roles.includes('operator');
  const queue = isNeeded ? await startQueue(context, { ...parts, duties, work }) : undefined;
  return {
    times,
    async requestReplay(input) {
      invariant(queue !== undefined, 'a replay is asked for where the operator’s API runs');
      return queue.request(replayDutyName, replayRequest(input));
    },
    async requestTraining(merchantId) {
      invariant(queue !== undefined, 'a training is asked for where the operator’s API runs');
      await queue.request(trainModelDutyName, trainingRequest(merchantId));
    },
    async requestReconciliation(key) {
      invariant(queue !== undefined, 'a comparison is asked for where duties are known');
      await queue.request(reconcileNowDutyName, { input: {}, key });
    },
    async requestCheck(checkId) {
      invariant(queue !== undefined, 'a check is asked for where the operator’s API runs');
      await queue.request(checkNowDutyName, { input: {}, key: checkId });
    },
    async requestWhatIf(input) {
      invariant(queue !== undefined, 'a what-if is asked for where the operator’s API runs');
      await queue.request(whatIfDutyName, whatIfRequest(input));
    },
    async close() {
      await queue?.stop();
    },
  };
}

async function startQueue(
  context: AppContext,
  input: {
    readonly duties: readonly Duty[];
    readonly serviceClock: ServiceClock;
    readonly connectionString: string;
    readonly work: boolean;
  },
): Promise<DutyQueue> {
  const { clock, log } = context;
  const { movable } = input.serviceClock;
  const dutyClock =
    movable === undefined
      ? undefined
      : createDutyClock({ clock: movable, offsetMsSql: clockOffsetSql });
  return startDutyQueue(
    { clock, log, ...(dutyClock === undefined ? {} : { dutyClock }) },
    { connectionString: input.connectionString, duties: input.duties, work: input.work },
  );
}
