import { maxBatchSize } from './sandbox-api.ts';

/** Enough to tell the batches of one sandbox apart: eight letters of base 32. */
export const batchBytes = 5;
const batchShape = /^[0-9a-z]{8}$/;

/** The invoices of a batch: that of a payer has its place, from 1. */
export function invoiceIdsOf({
  batch,
  count,
}: {
  readonly batch: string;
  readonly count: number;
}): readonly string[] {
  return Array.from({ length: count }, (_, index) => `inv_sim_${batch}_${index + 1}`);
}

/** Those that a batch may have; none for what cannot be one. */
export function invoiceIdsOfAny(batch: string): readonly string[] {
  return batchShape.test(batch) ? invoiceIdsOf({ batch, count: maxBatchSize }) : [];
}
