import { useNow } from '../state/service-time.tsx';
import { exactTime, relativeTime, shortTime } from './format-time.ts';
import { Tip } from './tip.tsx';

/**
 * An instant: relative to the service's present time, or as a date. The exact time in the viewer's
 * zone and in UTC shows on hover, and on focus where `focusable`. `byMachine`: kept by the machine's time, not by the
 * sandbox's.
 */
export function Time({
  at,
  form = 'relative',
  focusable = false,
  byMachine = false,
}: {
  readonly at: string;
  readonly form?: 'relative' | 'short' | 'both';
  readonly focusable?: boolean;
  readonly byMachine?: boolean;
}) {
  const now = useNow({ byMachine });
  const date = new Date(at);
  const texts = {
    relative: relativeTime(date, now),
    short: shortTime(date),
    both: (
      <>
        <span className="nowrap">{shortTime(date)}</span>{' '}
        <span className="nowrap">({relativeTime(date, now)})</span>
      </>
    ),
  };
  const exact = exactTime(date);
  return (
    <Tip text={exact}>
      <time
        dateTime={at}
        className={form === 'both' ? 'time time-both' : 'time'}
        {...(focusable ? { tabIndex: 0 } : {})}
      >
        {texts[form]}
        <span className="unseen"> ({exact})</span>
      </time>
    </Tip>
  );
}
