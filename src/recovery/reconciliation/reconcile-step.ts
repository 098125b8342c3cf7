import { present } from '../../domain/present.ts';
import { truncatedText } from '../../domain/truncated-text.ts';
import { type AnswerDeps, takeAnswer } from '../engine/answers/take-answer.ts';
import type { EngineDeps } from '../engine/deps.ts';
import type { IncidentStore } from '../incidents/incident-ports.ts';
import type { ListedCharge, PspGateway } from '../psp-ports.ts';
import { adoptMissing } from './adopt-missing.ts';
import { compareOthers, isGivenBack } from './compare-others.ts';
import { incidentOf } from './finding.ts';
import { listedResult } from './listed-result.ts';
import type {
  OwnCharge,
  Reconciliation,
  ReconciliationStore,
  StepDone,
} from './reconciliation-ports.ts';

export interface ReconcileDeps extends AnswerDeps, Pick<EngineDeps, 'findGateway'> {
  readonly runs: ReconciliationStore;
  readonly incidents: Pick<IncidentStore, 'open'>;
  /** Whether a reference at a PSP has the form of our keys. */
  readonly isOwnKey: (reference: string) => boolean;
}

/** Charges or payments that one step compares. */
const batch = 500;

/** The PSP does not say yet what has to be known of a charge. */
interface Waits {
  readonly kind: 'waits';
  readonly reason: string;
}

/**
 * Does the next step of a run: a page of the PSP's list, of the payments, or of our own charges.
 * What is found is kept before the run moves on, and is the same finding when the step is done
 * again.
 */
export async function reconcileStep(
  deps: ReconcileDeps,
  run: Reconciliation,
): Promise<'moved' | 'ended' | 'waits'> {
  const done = await stepOf(deps, run);
  const isMoved = await deps.runs.advance(run, done, deps.clock.now());
  if (done.detail !== undefined && done.ends === undefined) return 'waits';
  return isMoved && done.ends !== undefined ? 'ended' : 'moved';
}

function stepOf(deps: ReconcileDeps, run: Reconciliation): Promise<StepDone> {
  switch (run.phase) {
    case 'theirs':
      return compareTheirs(deps, run);
    case 'adopt':
      return adoptMissing(deps, run);
    case 'ours':
      return compareOurs(deps, run);
    case 'rest':
      return reportMissing(deps, run);
  }
}

async function compareTheirs(deps: ReconcileDeps, run: Reconciliation): Promise<StepDone> {
  const { merchantId, psp, connectionVersion: version } = run;
  const gateway = await deps.findGateway({ merchantId, psp, version });
  if (gateway === undefined) return { ends: 'no_list', detail: 'The account is not connected.' };
  const page = await readPage(deps, run, gateway);
  if (page.kind === 'unsupported') {
    return {
      ends: 'no_list',
      detail: 'The PSP offers no list of charges: supply one of its reports.',
    };
  }
  if (page.kind === 'unavailable') return { place: run.place, detail: truncatedText(page.reason) };
  const charges = page.charges.filter(
    ({ createdAt }) => createdAt >= run.since && createdAt < run.until,
  );
  const outcome = await compare(deps, run, { charges, gateway });
  if (outcome.detail !== undefined) return { ...outcome, place: run.place };
  const place = page.nextCursor === undefined ? {} : { place: [page.nextCursor] };
  return { ...outcome, ...place, listed: charges.length };
}

async function readPage(deps: ReconcileDeps, run: Reconciliation, gateway: PspGateway) {
  if (run.source === 'report') {
    const charges = await deps.runs.readReportPage(run);
    const nextCursor = String(Number(run.place[0] ?? '0') + 1);
    return charges === undefined
      ? { kind: 'page' as const, charges: [] }
      : { kind: 'page' as const, charges, nextCursor };
  }
  const [cursor] = run.place;
  const window = { merchantId: run.merchantId, from: run.since, to: run.until };
  return gateway.listCharges(cursor === undefined ? window : { ...window, cursor });
}

/** Holds listed charges against ours, and resolves what the list resolves. */
async function compare(
  deps: ReconcileDeps,
  run: Reconciliation,
  { charges, gateway }: { readonly charges: readonly ListedCharge[]; readonly gateway: PspGateway },
): Promise<StepDone> {
  const keys = charges.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  const pspIds = charges.map(({ pspTransactionId }) => pspTransactionId);
  const own = await deps.runs.findOwn(run, { keys, pspIds });
  const byKey = new Map(own.map((charge) => [charge.idempotencyKey, charge]));
  const byId = new Map(own.map((charge) => [charge.pspTransactionId, charge]));
  const seen: string[] = [];
  const missing: ListedCharge[] = [];
  const others: ListedCharge[] = [];
  let [settled, findings] = [0, 0];
  for (const listed of charges) {
    const ours = byKey.get(listed.idempotencyKey ?? '') ?? byId.get(listed.pspTransactionId);
    if (ours === undefined) {
      const { idempotencyKey: key } = listed;
      (key !== undefined && deps.isOwnKey(key) ? missing : others).push(listed);
    } else if (ours.merchantId === run.merchantId) {
      seen.push(ours.idempotencyKey);
      const what = await compareOne(deps, run, { ours, listed, gateway });
      // The page is compared once more when the PSP answers: what was found is found again.
      if (typeof what === 'object') return { detail: truncatedText(what.reason) };
      if (what === 'resolved') {
        settled += 1;
        byKey.set(ours.idempotencyKey, resolvedBy(ours, listed));
      }
      if (what === 'finding') findings += 1;
    }
  }
  const foreign = await compareOthers(deps, run, { others, gateway });
  if (foreign.kind === 'waits') return { detail: truncatedText(foreign.reason) };
  findings += foreign.findings;
  return { settled, findings, seen, missing };
}

async function compareOne(
  deps: ReconcileDeps,
  run: Reconciliation,
  input: {
    readonly ours: OwnCharge;
    readonly listed: ListedCharge;
    readonly gateway: PspGateway;
  },
): Promise<'agrees' | 'resolved' | 'finding' | Waits> {
  const { ours } = input;
  const differs = differenceOf(input);
  if (differs === 'none') return 'agrees';
  if (differs !== undefined) return open(deps, run, { kind: differs, ...input });
  const { merchantId, idempotencyKey } = ours;
  const result = await listedResult(deps, run, input);
  if (result.kind === 'waits') return result;
  const taken = await takeAnswer(deps, { merchantId, idempotencyKey, result });
  if (taken === 'incident') return 'finding';
  return taken === 'resolved' || taken === 'recorded_late' ? 'resolved' : 'agrees';
}

/** What two sides do not agree about; undefined where ours has no answer yet that could differ. */
function differenceOf({
  ours,
  listed,
}: {
  readonly ours: OwnCharge;
  readonly listed: ListedCharge;
}): 'none' | 'two_successes' | 'amount_differs' | 'state_differs' | undefined {
  if (listed.state === 'pending') return 'none';
  if (isBesideSuccess(ours, listed)) {
    return listed.state === 'succeeded' && !isGivenBack(listed) ? 'two_successes' : 'none';
  }
  if (ours.amountMinor !== listed.amountMinor || ours.currency !== listed.currency) {
    return 'amount_differs';
  }
  if (ours.state !== 'succeeded' && ours.state !== 'declined') return undefined;
  // A refund of an incident leaves the charge as declined here.
  const isRefunded = ours.state === 'declined' && isGivenBack(listed);
  return ours.state === listed.state || isRefunded ? 'none' : 'state_differs';
}

/**
 * A PSP that forgot a key, or never knew any, may have made another charge of it. One that took no money says
 * nothing of ours that succeeded.
 */
function isBesideSuccess(ours: OwnCharge, listed: ListedCharge): boolean {
  const { pspTransactionId: own = listed.pspTransactionId } = ours;
  const isSame = own === listed.pspTransactionId || own === listed.alsoNamed;
  return ours.state === 'succeeded' && !isSame;
}

/** Another charge of the same key on this page is held against what this one resolved. */
function resolvedBy(ours: OwnCharge, { state, pspTransactionId }: ListedCharge): OwnCharge {
  return state === 'succeeded' ? { ...ours, state, pspTransactionId } : ours;
}

/** What our record holds, and the list does not. */
async function compareOurs(deps: ReconcileDeps, run: Reconciliation): Promise<StepDone> {
  const { charges, place } = await deps.runs.findUnseen(run, batch);
  const listsDeclines = charges.length > 0 && (await deps.runs.hasListedDeclines(run));
  let findings = 0;
  for (const ours of charges) {
    if (ours.state === 'declined' && !listsDeclines) continue;
    const kind = 'missing_at_psp';
    const { invoiceId } = ours;
    if ((await open(deps, run, { kind, ours, invoiceId })) === 'finding') findings += 1;
  }
  return { findings, ...present({ place }) };
}

/**
 * Charges under keys of ours that no debt of ours accounts for. A further one of a key is held against the first,
 * which is on record by now; those of a merchant who has the same account are its own run's.
 */
async function reportMissing(deps: ReconcileDeps, run: Reconciliation): Promise<StepDone> {
  const { charges, place } = await deps.runs.listMissing(run, batch);
  const keys = charges.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  const own = keys.length === 0 ? [] : await deps.runs.findOwn(run, { keys, pspIds: [] });
  const byKey = new Map(own.map((charge) => [charge.idempotencyKey, charge]));
  let findings = 0;
  for (const listed of charges) {
    const ours = byKey.get(listed.idempotencyKey ?? '');
    if (ours !== undefined && ours.merchantId !== run.merchantId) continue;
    const differs = ours && differenceOf({ ours, listed });
    if (differs === 'none') continue;
    if (ours === undefined || differs === undefined) {
      await open(deps, run, { kind: 'missing_here', listed });
    } else await open(deps, run, { kind: differs, ours, listed });
    findings += 1;
  }
  if (place !== undefined) return { findings, place };
  return { findings, ends: 'done' };
}

async function open(
  deps: ReconcileDeps,
  run: Reconciliation,
  finding: Parameters<typeof incidentOf>[1],
): Promise<'finding'> {
  await deps.incidents.open(incidentOf(run, finding, deps.clock.now()));
  return 'finding';
}
