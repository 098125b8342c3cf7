import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import type { Reader } from '../ports.ts';
import type { AddedEvidenceStore, DisputeKey } from './added-ports.ts';
import { isSent } from './is-sent.ts';
import type { AddDeps } from './write-rebuttal.ts';

/** The letter to the issuer, and whether it can still be changed. */
export interface RebuttalView {
  readonly psp: Psp;
  readonly text?: string;
  readonly isSent: boolean;
}

/** Undefined where there is no such dispute. A rebuttal that is opened stands in the audit log. */
export async function showRebuttal(
  deps: Pick<AddDeps, 'disputes' | 'submissions' | 'clock'> & {
    readonly added: Pick<AddedEvidenceStore, 'open'>;
  },
  { reader, ...key }: DisputeKey & { readonly reader: Reader },
): Promise<RebuttalView | undefined> {
  const dispute = await deps.disputes.show(key);
  if (dispute === undefined) return undefined;
  const { rebuttal: text } = await deps.added.open({ ...key, reader, at: deps.clock.now() });
  return { psp: dispute.psp, ...present({ text }), isSent: await isSent(deps, dispute) };
}
