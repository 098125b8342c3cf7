import { newId } from '../../domain/ids.ts';
import { present } from '../../domain/present.ts';
import { truncatedText } from '../../domain/truncated-text.ts';
import { type AnswerDeps, takeAnswer } from '../engine/answers/take-answer.ts';
import { chargeKey } from '../engine/charge-key.ts';
import type { EngineDeps } from '../engine/deps.ts';
import type { ListedCharge, PspGateway } from '../psp-ports.ts';
import { listedResult } from './listed-result.ts';
import type {
  AdoptableCharge,
  AdoptablePayment,
  Reconciliation,
  ReconciliationStore,
  StepDone,
} from './reconciliation-ports.ts';
import { sideBySide } from './side-by-side.ts';

interface AdoptDeps extends AnswerDeps, Pick<EngineDeps, 'findGateway'> {
  readonly runs: Pick<
    ReconciliationStore,
    'findAdoptable' | 'findMissing' | 'adopt' | 'foundMissing'
  >;
}

/** Payments whose tries one step looks for. */
const batch = 500;
/** Tries of a method that may have been made after a backup. */
const triesAfterBackup = 10;
/**
 * Debts whose charges are recorded at the same time: each waits for the PSP's record and for the disk. More would
 * take connections from the APIs, which answer meanwhile.
 */
const together = 8;

/**
 * After a restored backup: keys are a function of debt, method and try, so a charge of a key that
 * the record does not hold is found by the keys that each payment's next tries would have. A debt's charges are
 * recorded one after the other, in the order in which they were made; those of other debts beside them.
 */
export async function adoptMissing(deps: AdoptDeps, run: Reconciliation): Promise<StepDone> {
  const { merchantId, psp, connectionVersion: version } = run;
  const gateway = await deps.findGateway({ merchantId, psp, version });
  const { payments, place } = await deps.runs.findAdoptable(run, batch);
  const byDebt = await missingOf(deps, run, payments);
  const all = [...byDebt.values()].flat();
  // One that is on record so and not answered yet, when the process ends, is found again and answered then.
  if (all.length > 0) await deps.runs.adopt(run, all, deps.clock.now());
  const noted: string[] = [];
  let settled = 0;
  let waitsFor: string | undefined;
  await sideBySide([...byDebt.values()], together, async (charges) => {
    for (const charge of charges) {
      // A PSP that did not answer for one is not asked for the others now.
      if (waitsFor !== undefined) return;
      const recorded = await record(deps, run, { charge, gateway });
      // Whatever came after it is a later try of its key's method, or can wait as well.
      if (recorded.kind === 'waits') waitsFor = recorded.reason;
      if (recorded.kind !== 'recorded') continue;
      if (recorded.isSettled) settled += 1;
      if (recorded.isAsListed) noted.push(charge.idempotencyKey);
      else await deps.runs.foundMissing(run, [charge.idempotencyKey]);
    }
  });
  if (noted.length > 0) await deps.runs.foundMissing(run, noted);
  if (waitsFor !== undefined) return { settled, place: run.place, detail: truncatedText(waitsFor) };
  return { settled, ...present({ place }) };
}

/** The charges of these payments that the record does not hold, by their debts, each debt's in their order. */
async function missingOf(
  deps: Pick<AdoptDeps, 'runs' | 'random'>,
  run: Reconciliation,
  payments: readonly AdoptablePayment[],
): Promise<ReadonlyMap<string, readonly AdoptableCharge[]>> {
  const { merchantId } = run;
  const tries = payments.flatMap(({ invoiceId, methodIds, declines }) =>
    methodIds.flatMap((paymentMethodId) =>
      Array.from({ length: triesAfterBackup }, (_, index) => {
        const number = (declines[paymentMethodId] ?? 0) + 1 + index;
        const key = chargeKey({ merchantId, invoiceId, paymentMethodId, number });
        return [key, { invoiceId, paymentMethodId }] as const;
      }),
    ),
  );
  const byKey = new Map(tries);
  const found = await deps.runs.findMissing(run, [...byKey.keys()]);
  const inOrder = found.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const adoptable = inOrder.flatMap((charge): readonly AdoptableCharge[] => {
    const { idempotencyKey = '', state } = charge;
    const debt = byKey.get(idempotencyKey);
    if (debt === undefined || state === 'pending') return [];
    return [{ ...charge, ...debt, idempotencyKey, attemptId: newId(deps.random, 'att') }];
  });
  return Map.groupBy(adoptable, ({ invoiceId }) => invoiceId);
}

type Recorded =
  | {
      readonly kind: 'recorded';
      readonly isSettled: boolean;
      /** Then it is found to be on record without a note of it, which a kill may cut off. */
      readonly isAsListed: boolean;
    }
  | { readonly kind: 'waits'; readonly reason: string }
  /** It moved each time: it is left to be reported. */
  | { readonly kind: 'busy' };

async function record(
  deps: AdoptDeps,
  run: Reconciliation,
  input: { readonly charge: AdoptableCharge; readonly gateway: PspGateway | undefined },
): Promise<Recorded> {
  const { charge, gateway } = input;
  const { merchantId } = run;
  const { idempotencyKey } = charge;
  const ours = { ...charge, merchantId, at: charge.createdAt };
  const listed: ListedCharge = charge;
  const result = await listedResult(deps, run, { ours, listed, gateway });
  if (result.kind === 'waits') return result;
  const taken = await takeAnswer(deps, { merchantId, idempotencyKey, result });
  if (taken === 'busy') return { kind: 'busy' };
  const isAsListed = taken === 'recorded_late' && result.kind === listed.state;
  return { kind: 'recorded', isSettled: taken !== 'charge_unknown', isAsListed };
}
