import type { Clock } from '../../domain/clock.ts';
import { errorMessage } from '../../domain/errors/error-message.ts';
import { newId } from '../../domain/ids.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import { lossPerDayOf } from '../../policy/learned/learned-policy.ts';
import type { HolidayCalendar } from '../../policy/learned/local-time.ts';
import type { PolicyModel } from '../../policy/learned/policy-model.ts';
import { priorModel } from '../../policy/learned/prior-model.ts';
import type { JudgedModel } from '../../policy/learned/training/train-model.ts';
import {
  allMerchants,
  type ModelStore,
  type Trained,
  type Trainer,
  type TrainingPayment,
  type TrainingReads,
  type TrainingState,
} from './model-ports.ts';
import { payerCountry } from './payer-facts.ts';
import { trainingRowsOf } from './training-rows.ts';

export interface TrainDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly reads: TrainingReads;
  readonly models: ModelStore;
  readonly startTrainer: () => Trainer;
  /** Holidays of a country; weekends alone where it is not known. */
  readonly calendarOf: (country: string | undefined) => Promise<HolidayCalendar>;
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** Another model is in use from now on. */
  readonly onActivated: () => void;
}

export interface TrainRun {
  /** A merchant's id, or `allMerchants`. */
  readonly merchantId: string;
  readonly signal: AbortSignal;
  /** Tries read so far. */
  progress(tries: number): void;
}

/** Payments of one page: some ten milliseconds of reading and of this thread. */
const pageSize = 500;
/** The newest tries, so that memory stays bounded: about 1 kB each in the training thread. */
const maxTries = 400_000;
/** Fewer cannot tell a better model from luck, as `trainModel` has it for its parts. */
const minTries = 200;
const minHeldOut = 40;
/** Of a payer's past; enough for years of months. */
const maxPastCharges = 48;

/**
 * Trains a scope's next model from the database and promotes it where it predicts held-out tries
 * better than the present one does. It always begins from the shipped model, never from the last
 * generation, so that errors do not add up.
 */
export async function trainScope(deps: TrainDeps, run: TrainRun): Promise<void> {
  const trainer = deps.startTrainer();
  try {
    const { tries, country, merchants } = await readRows(deps, run, trainer);
    if (tries < minTries) {
      const message = `${tries} tries are too few to learn from; at least ${minTries} are needed.`;
      await note(deps, run, { state: 'done', tries, message });
      return;
    }
    await note(deps, run, { state: 'training', tries });
    const present = await presentModel(deps, run.merchantId);
    const modelId = newId(deps.random, 'mod');
    const calendar = await deps.calendarOf(country);
    const trained = await trainer.train({ version: modelId, calendar, present });
    const waiting = await deps.reads.readWaiting(merchants, deps.clock.now());
    const model = { ...trained.model, lossPerDay: lossPerDayOf(waiting) };
    await keep(deps, run, { modelId, trained: { ...trained, model }, tries, present });
  } catch (error) {
    const message = errorMessage(error).slice(0, 300);
    await note(deps, run, { state: 'failed', tries: 0, message });
    throw error;
  } finally {
    await trainer.close();
  }
}

interface Read {
  readonly tries: number;
  /** Where most of the payers live. */
  readonly country: string | undefined;
  readonly merchants: readonly string[];
}

async function readRows(deps: TrainDeps, run: TrainRun, trainer: Trainer): Promise<Read> {
  await note(deps, run, { state: 'reading', tries: 0 });
  const isAll = run.merchantId === allMerchants;
  const merchants = isAll
    ? await deps.reads.listMerchants({ learnedOnly: false })
    : [run.merchantId];
  const countries = new Map<string, number>();
  let tries = 0;
  for (const [place, merchantId] of merchants.entries()) {
    // What the smaller ones leave, the later ones may use.
    const share = Math.floor((maxTries - tries) / (merchants.length - place));
    let [left, after] = [share, undefined as TrainingPayment | undefined];
    while (left > 0) {
      run.signal.throwIfAborted();
      const page = await readPage(deps, merchantId, after, countries);
      if (page.rows.length > 0) await trainer.add(page.rows.slice(0, left));
      tries += Math.min(left, page.rows.length);
      left -= page.rows.length;
      run.progress(tries);
      await note(deps, run, { state: 'reading', tries });
      after = page.last;
      if (after === undefined) break;
    }
  }
  const [country] = [...countries].sort((a, b) => b[1] - a[1])[0] ?? [];
  return { tries, country, merchants };
}

async function readPage(
  deps: TrainDeps,
  merchantId: string,
  after: TrainingPayment | undefined,
  countries: Map<string, number>,
) {
  const payments = await deps.reads.readPayments({
    merchantId,
    limit: pageSize,
    ...present({ after }),
  });
  const records = await deps.reads.readPayers(payments, deps.clock.now(), maxPastCharges);
  const byInvoice = new Map(records.map((record) => [record.invoiceId, record]));
  const rows = payments.flatMap((payment) => {
    const record = byInvoice.get(payment.invoiceId);
    const country = payerCountry(payment.currency, record);
    if (country !== undefined) countries.set(country, (countries.get(country) ?? 0) + 1);
    return trainingRowsOf(payment, record);
  });
  return { rows, last: payments.length < pageSize ? undefined : payments.at(-1) };
}

/** The scope's own, else that of all merchants, else the shipped one. */
async function presentModel({ models }: TrainDeps, merchantId: string): Promise<PolicyModel> {
  const active = await models.readActive(new Map());
  const own = active.find((item) => item.merchantId === merchantId);
  const common = active.find((item) => item.merchantId === allMerchants);
  return (own ?? common)?.model ?? priorModel;
}

async function keep(
  deps: TrainDeps,
  run: TrainRun,
  input: {
    readonly modelId: string;
    readonly trained: Trained;
    readonly tries: number;
    readonly present: PolicyModel;
  },
): Promise<void> {
  const { modelId, trained, tries, present } = input;
  const { merchantId } = run;
  const at = deps.clock.now();
  const isBetter =
    trained.candidate.rows >= minHeldOut &&
    (present.version === priorModel.version || trained.candidate.logLoss < trained.present.logLoss);
  const verdict = verdictText(trained, present.version);
  const metrics = modelReport(trained, { tries, against: present.version, isBetter, verdict });
  await deps.models.add({ merchantId, modelId, model: trained.model, metrics, at });
  if (isBetter) {
    await deps.models.activate({ merchantId, modelId, by: 'training', at });
    deps.onActivated();
  }
  await note(deps, run, { state: 'done', tries, message: verdict, modelId });
  deps.log.info({ merchantId, modelId, tries, isBetter, ...metrics }, 'a model was trained');
}

/** Why a model was promoted or not, in a sentence for operators. */
function verdictText({ candidate, present }: Trained, against: string): string {
  const losses = `log loss ${candidate.logLoss} against ${present.logLoss} of ${against} on ${candidate.rows} held-out tries`;
  if (candidate.rows < minHeldOut) {
    return `Kept as a candidate: ${candidate.rows} held-out tries are too few to tell; at least ${minHeldOut} are needed.`;
  }
  if (against === priorModel.version) {
    return `Promoted: the first model trained on the merchant’s own tries; it still has to earn its traffic: ${losses}.`;
  }
  return candidate.logLoss < present.logLoss
    ? `Promoted: ${losses}.`
    : `Kept as a candidate, since it predicts no better: ${losses}.`;
}

/** What is kept and shown of a model's quality. */
function modelReport(
  { candidate, present, model }: Trained,
  input: {
    readonly tries: number;
    readonly against: string;
    readonly isBetter: boolean;
    readonly verdict: string;
  },
): JsonObject {
  return {
    tries: input.tries,
    use: model.use,
    promoted: input.isBetter,
    verdict: input.verdict,
    ...(model.paydayMove !== undefined && {
      payday_move: {
        since: new Date(model.paydayMove.sinceMs).toISOString(),
        days: model.paydayMove.days,
      },
    }),
    held_out: quality(candidate),
    present: { model_id: input.against, ...quality(present) },
  };
}

function quality(metrics: JudgedModel): JsonObject {
  return {
    tries: metrics.rows,
    successes: metrics.successes,
    log_loss: metrics.logLoss,
    auc: metrics.auc,
    calibration_error: metrics.calibrationError,
    decision_value: metrics.decisionValue,
  };
}

async function note(
  deps: TrainDeps,
  { merchantId }: TrainRun,
  progress: {
    readonly state: TrainingState;
    readonly tries: number;
    readonly message?: string;
    readonly modelId?: string;
  },
): Promise<void> {
  await deps.models.noteTraining({ message: '', ...progress, merchantId, at: deps.clock.now() });
}
