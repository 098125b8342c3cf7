import type { InvariantView } from '../accounting/accounting-ports.ts';
import type { ProcessClock } from '../checkup/checkup-ports.ts';
import { diskFinding } from '../checkup/service-findings.ts';
import type { NetworkPressure } from '../reports/overview.ts';
import type { Alert } from './alert.ts';
import type { AlertChannel } from './alert-ports.ts';

/** Processes that take no work. */
export function heldBackAlerts(clocks: readonly ProcessClock[]): readonly Alert[] {
  return clocks.flatMap(({ processId, held }): readonly Alert[] => {
    if (held === undefined) return [];
    const { message, since: at } = held;
    return [{ kind: 'work_held_back', count: 1, processId, message, at }];
  });
}

/** Cards near what their networks allow, by network. */
export function pressureAlerts({ asOf: at, networks }: NetworkPressure): readonly Alert[] {
  if (at === undefined) return [];
  return networks.map(({ network, near: count, spent }) => {
    return { kind: 'cards_near_limit', network, count, spent, at };
  });
}

/** Promises that do not hold. */
export function invariantAlerts(items: readonly InvariantView[], at: Date): readonly Alert[] {
  return items
    .filter(({ breaches }) => breaches > 0)
    .map(({ name: invariant, promise: message, breaches: count }) => {
      return { kind: 'invariant_broken', invariant, message, count, at };
    });
}

/** A disk that is nearly full: what the check-up calls bad is what wakes somebody. */
export function diskAlerts(
  disk: { readonly freeBytes: number; readonly totalBytes: number } | undefined,
  { processId, at }: { readonly processId: string; readonly at: Date },
): readonly Alert[] {
  const { verdict, found: message } = diskFinding(disk);
  if (verdict !== 'bad') return [];
  return [{ kind: 'disk_low', count: 1, processId, message, at }];
}

/** Channels that take nothing; the others are told of them. */
export function channelAlerts(channels: readonly AlertChannel[]): readonly Alert[] {
  return channels.flatMap(({ channelId, name: channelName, failingSince: at, lastError }) => {
    if (at === undefined) return [];
    const message = lastError ?? 'No message was taken.';
    return [{ kind: 'channel_failing' as const, count: 1, channelId, channelName, message, at }];
  });
}
