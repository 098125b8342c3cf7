import type { Clock } from '../../domain/clock.ts';
import type { DisputeDetail } from '../dispute-ports.ts';
import type { SubmissionStore } from '../submission/submission-ports.ts';
import type { AddedEvidenceStore, DisputeKey } from './added-ports.ts';
import { isSent } from './is-sent.ts';
import { cleanRebuttal, rebuttalFault } from './rebuttal.ts';

export interface AddDeps {
  readonly added: Pick<AddedEvidenceStore, 'writeRebuttal'>;
  readonly disputes: { show(key: DisputeKey): Promise<DisputeDetail | undefined> };
  readonly submissions: Pick<SubmissionStore, 'find'>;
  readonly clock: Clock;
}

export interface WriteRebuttal extends DisputeKey {
  /** Empty: there is none any more. */
  readonly text: string;
  /** Who writes, for the audit log. */
  readonly actor: string;
}

export type RebuttalOutcome =
  | { readonly kind: 'kept' }
  /** The evidence was sent on, or is on its way: it is the record of what was said. */
  | { readonly kind: 'sent' }
  /** In a sentence. */
  | { readonly kind: 'invalid'; readonly why: string }
  | { readonly kind: 'not_found' };

/** Keeps the letter that goes to the issuer, until it is sent on. */
export async function writeRebuttal(
  deps: AddDeps,
  { text, actor, ...key }: WriteRebuttal,
): Promise<RebuttalOutcome> {
  const why = rebuttalFault(text);
  if (why !== undefined) return { kind: 'invalid', why };
  const dispute = await deps.disputes.show(key);
  if (dispute === undefined) return { kind: 'not_found' };
  if (await isSent(deps, dispute)) return { kind: 'sent' };
  const input = { ...key, text: cleanRebuttal(text), actor, at: deps.clock.now() };
  return { kind: (await deps.added.writeRebuttal(input)) ? 'kept' : 'not_found' };
}
