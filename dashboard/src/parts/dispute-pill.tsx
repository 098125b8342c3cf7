import { useNow } from '../state/service-time.tsx';
import { isPastDue } from './is-past-due.ts';
import { StatePill } from './state-pill.tsx';

/** A dispute's state. One whose answer was due before is past due, whatever the processor still calls it. */
export function DisputePill({
  dispute,
}: {
  readonly dispute: Parameters<typeof isPastDue>[0] & { readonly state: string };
}) {
  const isPast = isPastDue(dispute, useNow());
  return <StatePill state={isPast ? 'past_due' : dispute.state} />;
}
