import { invariant } from '../domain/errors.ts';
import { present } from '../domain/present.ts';
import { checkNowJobName } from '../jobs/background/check-invariants.ts';
import { destroyCredentials } from '../jobs/background/destroy-credentials.ts';
import { keepRollups } from '../jobs/background/keep-rollups.ts';
import { lookUpDisputes } from '../jobs/background/look-up-disputes.ts';
import { matchDisputes } from '../jobs/background/match-disputes.ts';
import { trainingRequest, trainModelJobName } from '../jobs/background/models/train-models.ts';
import { pauseFailingEndpoints } from '../jobs/background/pause-failing-endpoints.ts';
import { reconcileNowJobName } from '../jobs/background/reconcile.ts';
import {
  type ReplayRequest,
  replayDeliveries,
  replayJobName,
  replayRequest,
} from '../jobs/background/replay-deliveries.ts';
import { resolveSubmissions } from '../jobs/background/resolve-submissions.ts';
import { rotateKeys, rotateKeysJobName } from '../jobs/background/rotate-keys.ts';
import {
  type BulkRequest,
  bulkJobName,
  bulkRequest,
  runBulkActions,
} from '../jobs/background/run-bulk-actions.ts';
import { whatIfJobName, whatIfRequest } from '../jobs/background/run-what-ifs.ts';
import { tellExpiringCards } from '../jobs/background/tell-expiring-cards.ts';
import { warnOfDeadlines } from '../jobs/background/warn-of-deadlines.ts';
import type { BackgroundJob } from '../jobs/background-job.ts';
import { createJobClock } from '../jobs/job-clock.ts';
import { type JobQueue, startJobQueue } from '../jobs/job-queue.ts';
import { createJobTimes, type JobTimes } from '../jobs/job-times.ts';
import { bulkStep } from '../recovery/bulk/bulk-step.ts';
import { pauseFailing } from '../recovery/endpoints/pause-failing.ts';
import { destroyRetiredCredentials } from '../store/admin/destroy-retired-credentials.ts';
import { createBulkStore } from '../store/bulk/bulk-store.ts';
import {
  endPassedNotices,
  tellExpiringCards as tellCards,
} from '../store/card-notices/tell-expiring-cards.ts';
import { applicationName, type DatabaseAddress, jobsSchemaOf } from '../store/cell.ts';
import { clockOffsetSql } from '../store/clock/sandbox-clock.ts';
import { databaseFault } from '../store/database-fault.ts';
import { warnDueDisputes } from '../store/disputes/warn-due-disputes.ts';
import { createEndpointStore } from '../store/endpoints/endpoint-store.ts';
import { findFailing } from '../store/endpoints/find-failing.ts';
import { connectionOptions } from '../store/hosts/connection-options.ts';
import { createReplayStore } from '../store/replays/replay-store.ts';
import { countCardLimits } from '../store/rollups/count-card-limits.ts';
import { countSettled } from '../store/rollups/count-settled.ts';
import { rollUpCharges, rollUpPayments, rollUpUplift } from '../store/rollups/roll-up.ts';
import { sweepRollups } from '../store/rollups/sweep-rollups.ts';
import { createRotationStore } from '../store/sealing/rotation-store.ts';
import type { Sealer } from '../store/sealing/sealer.ts';
import { rolesOf } from '../store/wall/roles.ts';
import { accountingJobs } from './accounting-module.ts';
import type { AlertsModule } from './alerts/alerts-module.ts';
import type { AppContext, Closable } from './context.ts';
import { messageJob } from './customers/messages-module.ts';
import type { AnswersModule } from './disputes/answers.ts';
import type { DisputesModule } from './disputes/disputes-module.ts';
import type { Engine } from './engine.ts';
import { historyJobs } from './history/history-jobs.ts';
import { createBulkWork } from './operator/bulk-actions.ts';
import type { PspModule } from './psps/psp-module.ts';
import { reconciliationJobs } from './reconciliation-module.ts';
import type { ServiceClock } from './time/service-clock.ts';

type JobDisputes = Pick<DisputesModule, 'matchAgain' | 'lookUpDue'> &
  Pick<AnswersModule, 'resolveDue'>;

/** Deliveries that one step of a bulk replay queues: some ten milliseconds of work. */
const replayBatch = 1_000;

interface JobParts {
  readonly engine: Engine;
  readonly disputes: JobDisputes;
  readonly psps: Pick<PspModule, 'invoiceHolders'>;
  readonly sealer: Sealer;
  readonly alerts: Pick<AlertsModule, 'jobs'>;
}

function jobsOf(
  context: AppContext,
  { engine, disputes, psps, sealer, alerts }: JobParts,
): readonly BackgroundJob[] {
  const { db, metrics, log } = context;
  const replays = createReplayStore(db);
  const rotations = createRotationStore({ db, keys: context.keys, sealer });
  return [
    ...accountingJobs(context),
    ...reconciliationJobs(context, engine.deps),
    ...historyJobs(context),
    matchDisputes({ matchAgain: (input) => disputes.matchAgain(input) }),
    lookUpDisputes({ lookUpDue: (input) => disputes.lookUpDue(input) }),
    resolveSubmissions({ resolveDue: (input) => disputes.resolveDue(input) }),
    warnOfDeadlines({
      takeDue: (input) => warnDueDisputes(db, input),
      countWarning: (psp, days) => metrics.countDisputeWarning(psp, days),
      log,
    }),
    tellExpiringCards({
      tell: (input: Parameters<typeof tellCards>[1]) => tellCards(context, input),
      endPassed: (input) => endPassedNotices(context, input),
    }),
    destroyCredentials({
      destroy: (input) =>
        destroyRetiredCredentials(db, { ...input, invoiceHolders: psps.invoiceHolders }),
    }),
    keepRollups({
      rollUpPayments: (input) => rollUpPayments(db, input),
      rollUpUplift: (input) => rollUpUplift(db, input),
      rollUpCharges: (input) => rollUpCharges(db, input),
      countCardLimits: (input) => countCardLimits(db, input),
      countSettled: (input) => countSettled(db, input),
      sweep: () => sweepRollups(db),
    }),
    replayDeliveries({
      step: (input) => replays.step({ ...input, limit: replayBatch }),
      wakeDeliveries: () => engine.deps.wake.deliveries(),
    }),
    runBulkActions({
      step: (input) =>
        bulkStep(
          { bulks: createBulkStore(db), doOne: createBulkWork({ ...engine.deps, db }) },
          input,
        ),
    }),
    rotateKeys({ step: (at) => rotations.step(at) }),
    endpointJob(context, sealer),
    messageJob(context, { sealer }),
    ...engine.learned.jobs,
    ...alerts.jobs,
  ];
}

function endpointJob({ db, log }: AppContext, sealer: Sealer): BackgroundJob {
  const store = createEndpointStore({ db, sealer });
  return pauseFailingEndpoints({
    pause: (at) => pauseFailing({ store, findFailing: (now) => findFailing(db, now), log }, at),
  });
}

/** The background work of this process: run by a worker, asked for by the operator's API. */
export interface BackgroundJobs extends Closable {
  /** When jobs are due, in whatever process. */
  readonly times: JobTimes;
  /** The merchant's replays that run. */
  requestReplay(input: ReplayRequest): Promise<void>;
  /** The merchant's bulk actions that run. */
  requestBulk(input: BulkRequest): Promise<void>;
  /** A training of one scope's model. */
  requestTraining(merchantId: string): Promise<void>;
  /** The comparisons that are under way. */
  requestReconciliation(key: string): Promise<void>;
  /** A check of everything that is stored. */
  requestCheck(checkId: string): Promise<void>;
  /** The rotation of the encryption key that is under way. */
  requestRotation(rotationId: string): Promise<void>;
  /** A what-if's back-test. */
  requestWhatIf(input: { readonly whatIfId: string; readonly requestedAt: Date }): Promise<void>;
}

export async function startBackgroundJobs(
  context: AppContext,
  parts: JobParts & {
    readonly serviceClock: ServiceClock;
    readonly address: DatabaseAddress;
  },
): Promise<BackgroundJobs> {
  const { config, db } = context;
  const { outside } = context;
  const jobs = jobsOf(context, parts).filter(({ name }) => outside?.hasJob(name) ?? true);
  const schema = jobsSchemaOf(parts.address.schema);
  const times = createJobTimes(
    { query: (statement, values) => db.query(statement, values), schema },
    jobs,
  );
  const work = config.roles.includes('worker');
  // A process that only takes merchants' requests neither runs jobs nor asks for any.
  const isNeeded = work || config.roles.includes('operator');
  const queue = isNeeded ? await startQueue(context, { ...parts, jobs, work }) : undefined;
  return {
    times,
    async requestReplay(input) {
      invariant(queue !== undefined, 'a replay is asked for where the operator’s API runs');
      await queue.request(replayJobName, replayRequest(input));
    },
    async requestBulk(input) {
      invariant(queue !== undefined, 'a bulk action is asked for where the operator’s API runs');
      await queue.request(bulkJobName, bulkRequest(input));
    },
    async requestTraining(merchantId) {
      invariant(queue !== undefined, 'a training is asked for where the operator’s API runs');
      await queue.request(trainModelJobName, trainingRequest(merchantId));
    },
    async requestReconciliation(key) {
      invariant(queue !== undefined, 'a comparison is asked for where jobs are known');
      await queue.request(reconcileNowJobName, { input: {}, key });
    },
    async requestCheck(checkId) {
      invariant(queue !== undefined, 'a check is asked for where the operator’s API runs');
      await queue.request(checkNowJobName, { input: {}, key: checkId });
    },
    async requestRotation(rotationId) {
      invariant(queue !== undefined, 'a rotation is asked for where the operator’s API runs');
      await queue.request(rotateKeysJobName, { input: {}, key: rotationId });
    },
    async requestWhatIf(input) {
      invariant(queue !== undefined, 'a what-if is asked for where the operator’s API runs');
      await queue.request(whatIfJobName, whatIfRequest(input));
    },
    async close() {
      await queue?.stop();
    },
  };
}

async function startQueue(
  context: AppContext,
  input: {
    readonly jobs: readonly BackgroundJob[];
    readonly serviceClock: ServiceClock;
    readonly address: DatabaseAddress;
    readonly work: boolean;
  },
): Promise<JobQueue> {
  const { clock, log, ringer } = context;
  const rings = ringer && {
    ring: () => ringer.ring('jobs'),
    on: (listener: () => void) => ringer.on('jobs', listener),
  };
  const { movable } = input.serviceClock;
  const { connectionString, schema } = input.address;
  const roles = rolesOf(schema);
  const jobClock =
    movable === undefined
      ? undefined
      : createJobClock({ clock: movable, offsetMsSql: clockOffsetSql(schema) });
  return startJobQueue(
    { clock, log, databaseFault, ...present({ jobClock, rings }) },
    {
      ...connectionOptions(connectionString),
      schema: jobsSchemaOf(schema),
      applicationName: applicationName('recoup jobs', schema),
      jobs: input.jobs,
      work: input.work,
      readers: context.wall.kind === 'up' ? [roles.worker, roles.operator] : [],
    },
  );
}
