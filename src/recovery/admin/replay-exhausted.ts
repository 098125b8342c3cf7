import type { Clock } from '../../domain/clock.ts';
import type { ReplayBegun, ReplayProgress, ReplayScope } from '../reports/webhooks.ts';
import type { ActionLog } from './ports.ts';

export interface ReplayDeps {
  readonly actions: Pick<ActionLog, 'noteWith'>;
  /** How the deliveries of a time stand that are not delivered. */
  countExhausted(scope: ReplayScope): Promise<ReplayProgress>;
  readonly clock: Clock;
  /**
   * Asks for a replay in the background: it may be of millions, and goes on after a crash. `known`:
   * the same one goes on already.
   */
  requestReplay(input: Omit<ReplayScope, 'until'>): Promise<'queued' | 'known'>;
}

/** Has everything that was given up since sent again. Asked twice, it is one replay. */
export async function replayExhausted(
  deps: ReplayDeps,
  scope: Omit<ReplayScope, 'until'>,
): Promise<ReplayBegun> {
  const begunAt = deps.clock.now();
  const { exhausted: queued } = await deps.countExhausted(scope);
  if (queued > 0) {
    const detail = { since: scope.since.toISOString(), count: queued };
    const audit = { action: 'deliveries.replayed', detail, at: begunAt };
    await deps.actions.noteWith({
      merchantId: scope.merchantId,
      audit,
      work: async () => (await deps.requestReplay(scope)) === 'queued',
    });
  }
  return { queued, begunAt };
}
