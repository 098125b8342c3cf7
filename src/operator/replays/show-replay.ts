import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { createReplayStore } from '../../store/replays/replay-store.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, ourIdField, refusals } from '../shapes.ts';
import { replayJson, replayShape } from './replay-shape.ts';

/** GET /api/merchants/{id}/replays/{replay_id} */
export const showReplay = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/replays/{replay_id}',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'showReplay',
    tag: 'Deliveries',
    summary: 'Show a replay',
    description: 'How far it is, and what became of the events that it sent again.',
  },
  schema: {
    path: Type.Object({
      id: merchantIdField,
      replay_id: ourIdField("The replay's id, as it was begun."),
    }),
  },
  answers: { 200: replayShape, ...refusals(404) },
  async answer({ path }, { db }: Pick<OperatorDeps, 'db'>) {
    const { id: merchantId, replay_id: replayId } = path;
    const replay = await createReplayStore(db).find({ merchantId, replayId });
    if (replay === undefined) {
      throw new AppError('not_found', 'The merchant has no replay with this id.');
    }
    return contentAnswer(replayJson(replay));
  },
});
