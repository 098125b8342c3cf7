import type { PlannedWorkJson } from '../../api/generated/sandbox.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { count } from '../../parts/count.ts';
import { shortTime } from '../../parts/format-time.ts';

/** A move of time that waits for a yes. */
export interface AskedMove {
  /** Until when; absent where time is to play. */
  readonly until?: Date;
  /** How fast it is to play, in words. */
  readonly speed?: string;
  readonly planned: PlannedWorkJson;
  go(): void;
}

/** Moves of a day and more are asked about first. */
const largeMs = 86_400_000;

export function isLarge(byMs: number): boolean {
  return byMs >= largeMs;
}

/** As far as the clock moves at once: all that is planned. */
export const wholeFuture = 'P3660D';

/** Says what a large move, or play, will do before it does it. */
export function MoveQuestion({
  asked,
  onClose,
}: {
  readonly asked: AskedMove | undefined;
  readonly onClose: () => void;
}) {
  return (
    <ConfirmDialog
      open={asked !== undefined}
      title={asked?.until === undefined ? 'Play time?' : 'Move time?'}
      effect={asked === undefined ? '' : effectOf(asked)}
      action={asked?.until === undefined ? 'Play' : 'Move'}
      isBusy={false}
      error={null}
      onClose={onClose}
      onConfirm={() => {
        asked?.go();
        onClose();
      }}
    />
  );
}

function effectOf({ until, speed, planned }: AskedMove): string {
  const work = [
    ...(planned.attempts > 0 ? [count(planned.attempts, 'attempt', 'attempts')] : []),
    ...(planned.deliveries > 0 ? [count(planned.deliveries, 'webhook', 'webhooks')] : []),
  ].join(' and ');
  const what =
    until === undefined
      ? `Time plays at ${speed ?? ''} until you pause or leave this page. ${work} planned so far will really happen`
      : `Time moves to ${shortTime(until)}. ${work} planned by then will really happen`;
  return `${what}: final checks, charges, webhooks, and all that follows from them. Time cannot be moved back.`;
}
