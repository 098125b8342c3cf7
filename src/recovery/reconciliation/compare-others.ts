import { present } from '../../domain/present.ts';
import type { IncidentStore } from '../incidents/incident-ports.ts';
import type { ListedCharge, PspGateway } from '../psp-ports.ts';
import { incidentOf } from './finding.ts';
import type { Reconciliation, ReconciliationStore } from './reconciliation-ports.ts';

interface CompareOthersDeps {
  readonly clock: { now(): Date };
  readonly runs: Pick<ReconciliationStore, 'findPaidDebts' | 'findKnownCustomers'>;
  readonly incidents: Pick<IncidentStore, 'open'>;
}

/** How many findings there are; `waits` where the PSP did not say which invoice a charge paid. */
export type ComparedOthers =
  | { readonly kind: 'compared'; readonly findings: number }
  | { readonly kind: 'waits'; readonly reason: string };

/** Charges that are not ours: those that pay a debt of ours behind everybody's back are findings. */
export async function compareOthers(
  deps: CompareOthersDeps,
  run: Reconciliation,
  input: { readonly others: readonly ListedCharge[]; readonly gateway: PspGateway },
): Promise<ComparedOthers> {
  const paid = input.others.filter(
    (listed) => listed.state === 'succeeded' && !isGivenBack(listed),
  );
  const named = await withInvoices(deps, run, { paid, gateway: input.gateway });
  if (!Array.isArray(named)) return named;
  const asked = named.map(({ pspTransactionId, pspInvoiceId }) => ({
    pspTransactionId,
    ...present({ pspInvoiceId }),
  }));
  const debts = asked.length === 0 ? [] : await deps.runs.findPaidDebts(run, asked);
  const byCharge = new Map(named.map((listed) => [listed.pspTransactionId, listed]));
  let findings = 0;
  for (const { pspTransactionId, invoiceId, ownSuccess, isKnown } of debts) {
    const listed = byCharge.get(pspTransactionId);
    if (listed === undefined || (ownSuccess === undefined && isKnown)) continue;
    const kind = ownSuccess === undefined ? 'missing_here' : 'two_successes';
    await deps.incidents.open(incidentOf(run, { kind, listed, invoiceId }, deps.clock.now()));
    findings += 1;
  }
  return { kind: 'compared', findings };
}

/** Whether nothing of the money stayed with the merchant. */
export function isGivenBack({ refundedMinor = 0, amountMinor }: ListedCharge): boolean {
  return refundedMinor >= amountMinor;
}

/** Where a PSP keeps no invoices, merchants give their own charges the id of theirs as the reference. */
function byReference(listed: ListedCharge): ListedCharge {
  const { pspInvoiceId = listed.idempotencyKey } = listed;
  return pspInvoiceId === undefined ? listed : { ...listed, pspInvoiceId };
}

/**
 * The charges with their invoices. Where the list has none the PSP is asked, but only for charges of
 * customers whose payments were ever reported here: no other one can pay a debt of ours.
 */
async function withInvoices(
  { runs }: Pick<CompareOthersDeps, 'runs'>,
  run: Reconciliation,
  { paid, gateway }: { readonly paid: readonly ListedCharge[]; readonly gateway: PspGateway },
): Promise<ListedCharge[] | Extract<ComparedOthers, { kind: 'waits' }>> {
  const nameless = paid.flatMap(({ pspInvoiceId, pspCustomerId }) =>
    pspInvoiceId === undefined && pspCustomerId !== undefined ? [pspCustomerId] : [],
  );
  const known = nameless.length === 0 ? undefined : await runs.findKnownCustomers(run, nameless);
  const named: ListedCharge[] = [];
  for (const listed of paid) {
    const { pspInvoiceId, pspCustomerId = '', pspTransactionId } = listed;
    if (pspInvoiceId !== undefined || known?.has(pspCustomerId) !== true) {
      named.push(byReference(listed));
      continue;
    }
    const found = await gateway.findInvoice({ pspTransactionId });
    if (found.kind === 'unknown') return { kind: 'waits', reason: found.reason };
    named.push(found.kind === 'found' ? { ...listed, pspInvoiceId: found.pspInvoiceId } : listed);
  }
  return named;
}
