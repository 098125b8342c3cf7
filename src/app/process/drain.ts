import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import { usualDrainDelayMs } from '../../process-settings.ts';
import type { Phase } from './phase.ts';

/**
 * Says that this process ends, and leaves those who send it requests time to see that. Connections are
 * still taken meanwhile; `hurry` ends the wait.
 */
export async function drain(
  phase: Phase,
  config: Pick<Config, 'roles' | 'databaseUrl' | 'drainDelayMs'>,
  hurry: AbortSignal,
): Promise<void> {
  phase.ending();
  const delayMs = drainDelayMsOf(config);
  if (delayMs === 0 || hurry.aborted) return;
  const waited = new AbortController();
  await Promise.race([
    pause(delayMs, undefined, { signal: waited.signal }).catch(() => undefined),
    once(hurry, 'abort', { signal: waited.signal }).catch(() => undefined),
  ]);
  waited.abort();
}

/** Nobody sends a worker requests, and an embedded database has one process alone. */
function drainDelayMsOf(config: Pick<Config, 'roles' | 'databaseUrl' | 'drainDelayMs'>): number {
  if (!config.roles.some((role) => role !== 'worker')) return 0;
  return config.drainDelayMs ?? (config.databaseUrl === undefined ? 0 : usualDrainDelayMs);
}
