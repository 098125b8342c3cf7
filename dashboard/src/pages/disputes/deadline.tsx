import type { DisputeSummaryJson } from '../../api/generated/disputes.ts';
import { count } from '../../parts/count.ts';
import { isPastDue } from '../../parts/is-past-due.ts';
import { Time } from '../../parts/time.tsx';
import { useNow } from '../../state/service-time.tsx';

/** When the answer is due, with a word where it is soon or past. */
export function Deadline({ dispute }: { readonly dispute: DisputeSummaryJson }) {
  const { respond_by: at, days_left: days, status } = dispute;
  const isPast = isPastDue(dispute, useNow());
  if (status !== 'needs_response') return <span className="muted">no answer needed</span>;
  if (at === undefined) return <span className="muted">not known: look it up there</span>;
  return (
    <span className="deadline">
      {days !== undefined && (
        <span className={days <= 3 ? 'nowrap soon' : 'nowrap'}>
          {isPast ? '✕ past' : daysText(days)},
        </span>
      )}{' '}
      <Time at={at} form="short" />
    </span>
  );
}

function daysText(days: number): string {
  if (days <= 0) return '! today';
  return `${days <= 3 ? '! ' : ''}${count(days, 'day', 'days')} left`;
}
