import type { EvidenceResult } from '../../disputes/submission/evidence-gateway.ts';
import { codeOf, type Fields, fieldsOf } from '../answer-fields.ts';
import type { Watched } from '../watched-call.ts';
import { reasonOf } from './map.ts';

/** The category that every reason of a dispute has. Source: Braintree, DisputeEvidenceCategory. */
export const general = 'GENERAL';
/**
 * By which a category is refused, and not what it holds: the reason of the dispute does not have it
 * (EvidenceCategoryNotForReasonCode), or something of it lies there (EvidenceCategoryDuplicate). Source: Braintree's SDK,
 * validation error codes.
 */
export const unfitCodes: ReadonlySet<string> = new Set(['95713', '95714']);

/** What was added lies there, and is not added again. */
export const tooLate: EvidenceResult = {
  kind: 'failed',
  reason: 'The pieces of the evidence take too long. Try again: what lies there is not sent again.',
};

export function disputeIn(value: unknown): Fields {
  return fieldsOf(fieldsOf(value)?.dispute) ?? {};
}

/** The SDK gives validation errors as an answer without success, and other refusals as errors. */
export function resultOf(sent: Watched<unknown>, what: string): EvidenceResult {
  if (sent.kind === 'answered') {
    if (fieldsOf(sent.value)?.success === true) return { kind: 'done' };
    const codes = codesIn(sent);
    const said = codes.length === 0 ? 'it gave no reason' : codes.slice(0, 5).join(', ');
    return { kind: 'failed', reason: `Braintree did not take ${what}: ${said}` };
  }
  const reason = reasonOf(sent);
  const isRefusal = sent.kind === 'refused' && [401, 403, 404, 426, 429].includes(sent.status);
  return { kind: isRefusal || sent.kind === 'not_sent' ? 'failed' : 'lost', reason };
}

interface Validation {
  deepErrors?(): readonly { readonly code?: unknown }[];
}

/** Those of the validations that an answer did not pass. */
export function codesIn(sent: Watched<unknown>): readonly string[] {
  if (sent.kind !== 'answered') return [];
  const errors = fieldsOf(sent.value)?.errors as Validation | undefined;
  return errors?.deepErrors?.().flatMap(({ code }) => codeOf(code) ?? []) ?? [];
}
