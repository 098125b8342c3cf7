import { addMs } from '../../../domain/clock.ts';
import { limits, maxRedeliveries, quickSendWaitsMs } from '../../../domain/limits.ts';

/** A send that was not acknowledged, in the redelivery window that it belongs to. */
export interface FailedSend {
  /** The first send of the window, moved on by the marks that no process was there for. */
  readonly windowStartedAt: Date;
  readonly sentAt: Date;
  readonly endedAt: Date;
  /** Whether its endpoint asked for the sends of the first hour. */
  readonly quickSends: boolean;
}

/**
 * When a webhook is sent next: at the first of the window's marks that lies ahead; undefined after the
 * last. With quick sends their marks come before the first of the 12-hour ones, which they never move: a
 * quick mark that has passed when a send ends is left out, so that a server that hangs has its rest.
 */
export function nextSendAt(send: FailedSend): Date | undefined {
  const { windowStartedAt, sentAt, endedAt, quickSends } = send;
  const sinceMs = sentAt.getTime() - windowStartedAt.getTime();
  const endedMs = Math.max(sinceMs, endedAt.getTime() - windowStartedAt.getTime());
  const quickMs = quickSends ? quickMarksMs.find((markMs) => markMs > endedMs) : undefined;
  if (quickMs !== undefined) return addMs(windowStartedAt, quickMs);
  const mark = Math.floor(sinceMs / limits.redeliveryIntervalMs) + 1;
  if (mark > maxRedeliveries) return undefined;
  return addMs(windowStartedAt, mark * limits.redeliveryIntervalMs);
}

/** The quick sends of a window by the time since its first send: each wait follows the one before. */
const quickMarksMs: readonly number[] = quickSendWaitsMs.map((_, index) =>
  quickSendWaitsMs.slice(0, index + 1).reduce((sum, waitMs) => sum + waitMs, 0),
);

/**
 * The whole intervals that a send came after it was due: marks at which Recoup itself could not send.
 * The window moves on by them, so that an endpoint has all of its sends.
 */
export function missedMs(dueAt: Date, sentAt: Date): number {
  const { redeliveryIntervalMs } = limits;
  const lateMs = sentAt.getTime() - dueAt.getTime();
  return Math.max(0, Math.floor(lateMs / redeliveryIntervalMs)) * redeliveryIntervalMs;
}
