import {
  lostDisputeStatuses,
  openDisputeStatuses,
} from '../../domain/disputes/normalise/dispute-state.ts';

const listed = (statuses: readonly string[]): string => `('${statuses.join("', '")}')`;

/** For `status in`: the dispute goes on. A fraud warning has no status: it is neither in this list nor not. */
export const openStatuses = listed(openDisputeStatuses);

/** For `status in`: the disputed money is gone. */
export const lostStatuses = listed(lostDisputeStatuses);

/** For `status in`: the disputed money is gone, or may go. */
export const openOrLostStatuses = listed([...openDisputeStatuses, ...lostDisputeStatuses]);
