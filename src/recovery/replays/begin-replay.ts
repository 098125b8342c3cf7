import type { Clock } from '../../domain/clock.ts';
import { newId } from '../../domain/ids.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import type { AskedReplay, Replay, ReplayStore } from './replay-ports.ts';

export interface BeginReplayDeps {
  readonly replays: Pick<ReplayStore, 'begin'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Has the merchant's replays worked on in the background: one may be of millions, and survives a crash. */
  requestReplay(input: { readonly merchantId: string; readonly replayId: string }): Promise<void>;
}

/** Notes the replay and has it worked on. */
export async function beginReplay(deps: BeginReplayDeps, asked: AskedReplay): Promise<Replay> {
  const { replays, clock, random } = deps;
  const at = clock.now();
  const until = asked.until === undefined || asked.until > at ? at : asked.until;
  const scope = { ...asked, until };
  const { merchantId, status, type, endpointId } = scope;
  const replayId = newId(random, 'rpl');
  const detail = present({
    replay_id: replayId,
    status,
    type,
    endpoint_id: endpointId,
    from: scope.from.toISOString(),
    until: until.toISOString(),
  });
  const audit = { action: 'deliveries.replayed', detail, at };
  const replay = await replays.begin({ replayId, scope, at, audit });
  if (replay.state === 'running') await deps.requestReplay({ merchantId, replayId });
  return replay;
}
