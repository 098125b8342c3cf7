import { useState } from 'react';
import { type DateRange, DayPicker } from 'react-day-picker';
import { type Days, dayOf, type Range, startOf } from '../state/range.ts';
import { useNow } from '../state/service-time.tsx';

/** A day in full; it holds the number that is shown, as it is shown. */
const dayForm = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

/** Chooses a first and a last day of the viewer's calendar. */
export function Calendar({
  range,
  onChoose,
}: {
  readonly range: Range;
  readonly onChoose: (days: Days) => void;
}) {
  const now = useNow();
  const [chosen, setChosen] = useState<DateRange | undefined>(() => daysOf(range));
  const { from, to } = chosen ?? {};
  return (
    <div className="calendar">
      <DayPicker
        mode="range"
        selected={chosen}
        onSelect={setChosen}
        defaultMonth={to ?? now}
        disabled={{ after: now }}
        showOutsideDays
        weekStartsOn={1}
        labels={{ labelDayButton: (day) => dayForm.format(day) }}
      />
      <button
        type="button"
        className="button primary"
        disabled={from === undefined}
        onClick={() =>
          from !== undefined && onChoose({ first: dayOf(from), last: dayOf(to ?? from) })
        }
      >
        Show these days
      </button>
    </div>
  );
}

function daysOf(range: Range): DateRange | undefined {
  return typeof range === 'string'
    ? undefined
    : { from: startOf(range.first), to: startOf(range.last) };
}
