import type { BulkStore, DoOne, Place, RunningBulk } from './bulk-ports.ts';

export interface BulkStepDeps {
  readonly bulks: Pick<BulkStore, 'running' | 'next' | 'take' | 'isLogged' | 'note' | 'end'>;
  readonly doOne: DoOne;
}

/** Payments of one step: some tenths of a second of work. */
const stepPayments = 50;

/**
 * Does what the merchant's oldest bulk action asks for to its next payments; how many, 0 where none runs.
 * A payment is taken, done and noted. Whoever dies in between leaves one that is done again unless the audit
 * log has it: a retry's attempt may be over by then. To stop twice is the same as once.
 */
export async function bulkStep(
  { bulks, doOne }: BulkStepDeps,
  input: { readonly merchantId: string; readonly at: Date },
): Promise<number> {
  const bulk = await bulks.running(input.merchantId);
  if (bulk === undefined) return 0;
  if (bulk.isUnderWay && bulk.after !== undefined) {
    if (await bulks.isLogged(bulk, bulk.after)) await bulks.note(bulk, { place: bulk.after });
    else await doNoted({ bulks, doOne }, bulk, bulk.after);
    return 1;
  }
  const places = await bulks.next(bulk, stepPayments);
  let at = bulk;
  for (const place of places) {
    // Another process runs it too: it is that one's now, and this one looks again.
    if (!(await bulks.take(at, place))) return 1;
    if (!(await doNoted({ bulks, doOne }, bulk, place))) return 1;
    at = { ...at, after: place };
  }
  if (places.length === 0) await bulks.end(bulk, input.at);
  return Math.max(1, places.length);
}

async function doNoted(
  { bulks, doOne }: { readonly bulks: Pick<BulkStore, 'note'>; readonly doOne: DoOne },
  bulk: RunningBulk,
  place: Place,
): Promise<boolean> {
  const { merchantId } = bulk;
  const outcome = await doOne(bulk, { merchantId, invoiceId: place.invoiceId });
  const refusal = outcome.kind === 'refused' ? { refusal: kindOf(outcome.because) } : {};
  return bulks.note(bulk, { place, ...refusal });
}

/** A refusal as one of few: without the times and rules that differ from payment to payment. */
function kindOf(because: string): string {
  const [kind = ''] = because
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replace(/\.$/, '')
    .split(/[:.;] /);
  return kind.slice(0, 120);
}
