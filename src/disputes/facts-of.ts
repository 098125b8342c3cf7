import type { DisputeFacts } from '../domain/disputes/reported-dispute.ts';

const stateFields: readonly string[] = ['kind', 'stage', 'status'];

/** What a dispute is, without how far it has come: the state has an order of its own. */
export function factsOf(dispute: object): DisputeFacts {
  const entries = Object.entries(dispute).filter(([field]) => !stateFields.includes(field));
  return Object.fromEntries(entries) as unknown as DisputeFacts;
}
