import { useState } from 'react';
import { type DateRange, DayPicker } from 'react-day-picker';
import { useMerchants } from '../api/merchants.ts';
import { type Days, dayOf, type Range, startOf, zoneWords } from '../state/range.ts';
import { useNow } from '../state/service-time.tsx';
import { useViewState } from '../state/view-state.ts';
import { inZone } from '../state/zoned.ts';
import { Choice } from './choice.tsx';

/** A day in full; it holds the number that is shown, as it is shown. */
const dayForm = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });
const own = 'own';

/** Chooses a first and a last day, of the viewer's calendar or of the merchant's. */
export function Calendar({
  range,
  onChoose,
}: {
  readonly range: Range;
  readonly onChoose: (days: Days) => void;
}) {
  const [chosen, setChosen] = useState<DateRange | undefined>(() => daysOf(range));
  const zones = useZones(range);
  const [zone, setZone] = useState(() => zoneAt(range) ?? own);
  const whose = zone === own ? undefined : zone;
  // A day that has begun there may not have here.
  const today = startOf(dayOf(inZone(useNow(), whose))) ?? new Date();
  const { from, to } = chosen ?? {};
  return (
    <div className="calendar">
      {zones.length > 1 && (
        <Choice label="Days of" value={zone} options={zones} onChange={(next) => setZone(next)} />
      )}
      <DayPicker
        mode="range"
        selected={chosen}
        onSelect={setChosen}
        today={today}
        defaultMonth={to ?? today}
        disabled={{ after: today }}
        showOutsideDays
        weekStartsOn={1}
        labels={{ labelDayButton: (day) => dayForm.format(day) }}
      />
      <button
        type="button"
        className="button primary"
        disabled={from === undefined}
        onClick={() =>
          from !== undefined &&
          onChoose({
            first: dayOf(from),
            last: dayOf(to ?? from),
            ...(whose !== undefined && { zone: whose }),
          })
        }
      >
        Show these days
      </button>
    </div>
  );
}

/** Whose days there are to choose: the viewer's, the merchant's where they differ, and those that are shown. */
function useZones(range: Range) {
  const { merchantId } = useViewState();
  const merchant = useMerchants().data?.find(({ id }) => id === merchantId);
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const others = [merchant?.time_zone, zoneAt(range)].filter(
    (zone) => zone !== undefined && zone !== ownZone,
  );
  return [
    { value: own, label: `your time zone, ${zoneWords(ownZone)}` },
    ...[...new Set(others)].map((zone = '') => ({
      value: zone,
      label:
        zone === merchant?.time_zone ? `${merchant.name}, ${zoneWords(zone)}` : zoneWords(zone),
    })),
  ];
}

function zoneAt(range: Range): string | undefined {
  return typeof range === 'string' ? undefined : range.zone;
}

function daysOf(range: Range): DateRange | undefined {
  return typeof range === 'string'
    ? undefined
    : { from: startOf(range.first), to: startOf(range.last) };
}
