import { Popover } from '@base-ui/react/popover';
import { lazy, Suspense, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { browserTab } from '../state/browser-tab.ts';
import { loadView } from '../state/load-view.ts';
import { presets, type Range, rangeLabel, rangeText } from '../state/range.ts';
import { useViewState } from '../state/view-state.ts';

/** Most looks need no calendar. */
const Calendar = lazy(async () => ({
  default: await loadView(browserTab, async () => (await import('../parts/calendar.tsx')).Calendar),
}));

/** Which time is looked at: a preset, or days of the calendar; kept in the address. */
export function RangeSelect() {
  const { range, change } = useViewState();
  const [isOpen, setOpen] = useState(false);
  const choose = (next: Range): void => {
    change({ range: rangeText(next), cursor: undefined });
    setOpen(false);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="choice-trigger" aria-label={`Time: ${rangeLabel(range)}`}>
        <Icon name="calendar" />
        <span className="choice-value">{rangeLabel(range)}</span>
        <span className="choice-icon">
          <Icon name="open" />
        </span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="above" sideOffset={4} align="start">
          <Popover.Popup className="popup range" aria-label="Choose the time">
            <ul className="options">
              {presets.map((preset) => (
                <li key={preset}>
                  <button
                    type="button"
                    className="option"
                    aria-pressed={preset === range}
                    onClick={() => choose(preset)}
                  >
                    {rangeLabel(preset)}
                    {preset === range && <Icon name="chosen" />}
                  </button>
                </li>
              ))}
            </ul>
            <Suspense fallback={<Loading what="the calendar" rows={6} />}>
              <Calendar range={range} onChoose={choose} />
            </Suspense>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
