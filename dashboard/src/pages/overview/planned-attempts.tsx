import { useMemo } from 'react';
import type { PlannedAttemptsJson } from '../../api/generated/overview.ts';
import { formatCount } from '../../parts/count.ts';
import { declineClasses, declineClassLabels } from '../../parts/decline-classes.ts';
import { Panel } from '../../parts/panel.tsx';
import { StackedBars } from '../../parts/stacked-bars.tsx';

const hourMs = 3_600_000;
const hourForm = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

const names = declineClasses.map((category) => declineClassLabels[category] ?? category);

/** Attempts in the next 24 hours, by hour and what the first decline meant. */
export function PlannedAttempts({
  planned,
  now,
}: {
  readonly planned: readonly PlannedAttemptsJson[];
  readonly now: Date;
}) {
  const begin = Math.floor(now.getTime() / hourMs) * hourMs;
  const bars = useMemo(() => barsOf(planned, begin), [planned, begin]);
  const total = planned.reduce((sum, each) => sum + each.attempts, 0);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Panel
      title="Attempts in the next 24 hours"
      aside={
        <span className="muted small">
          n = {formatCount(total)}, by hour, {zone}
        </span>
      }
    >
      {total === 0 ? (
        <p className="muted">None is planned.</p>
      ) : (
        <StackedBars
          label={`${total} attempts are planned for the next 24 hours`}
          names={names}
          bars={bars}
          unit="attempts"
          timeText={(at) => hourForm.format(at)}
        />
      )}
    </Panel>
  );
}

/** A bar for each hour. */
function barsOf(planned: readonly PlannedAttemptsJson[], begin: number) {
  return Array.from({ length: 24 }, (_, hour) => {
    const at = begin + hour * hourMs;
    const values = declineClasses.map((category) =>
      planned
        .filter((each) => each.category === category && Date.parse(each.at) === at)
        .reduce((sum, each) => sum + each.attempts, 0),
    );
    return { at: new Date(at), values };
  });
}
