import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import { paymentStates } from '../../domain/states.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { ResolveOutcome } from '../../recovery/incidents/resolve-incident.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { messageField, refusals } from '../shapes.ts';
import { incidentToResolve } from './incident-seen.ts';
import { incidentPath } from './incident-shape.ts';

const body = Type.Object(
  { reason: messageField('Who decided it and why; kept with the incident.', limits.messageLength) },
  { additionalProperties: false, examples: [{ reason: 'seen in the Customer Area by K. Ito' }] },
);

export const resolvedShape = Type.Object(
  {
    state: enumField(
      ['refunding', 'refunded', 'dismissed'],
      'refunding: the refund is not certain yet; repeat the call to ask the processor again.',
    ),
    because: Type.Optional(Type.String({ description: 'Why it is not certain yet.' })),
    status: Type.Optional(enumField(paymentStates, "The payment's state now.")),
  },
  {
    title: 'ResolvedIncident',
    description: 'What became of the incident.',
    examples: [{ state: 'refunded', status: 'recovered' }],
  },
);

/** POST /api/incidents/{id}/refund */
export const refundIncident = defineEndpoint({
  method: 'POST',
  path: '/api/incidents/{id}/refund',
  needs: { role: 'operator', reach: 'own' },
  docs: {
    id: 'refundIncident',
    tag: 'Incidents',
    summary: 'Refund the charge of an incident',
    description:
      'Through the account that took the money, once, however often this is called. A payment that is ' +
      'still owed continues to be recovered.',
  },
  schema: { path: incidentPath, body },
  answers: { 200: resolvedShape, ...refusals(400, 404, 409) },
  async answer({ path, body }, deps: OperatorContext) {
    const { incidentId } = await incidentToResolve(deps, path.id);
    return resolved(await deps.api.refundIncident({ incidentId, reason: body.reason }));
  },
});

/** POST /api/incidents/{id}/dismiss */
export const dismissIncident = defineEndpoint({
  method: 'POST',
  path: '/api/incidents/{id}/dismiss',
  needs: { role: 'operator', reach: 'own' },
  docs: {
    id: 'dismissIncident',
    tag: 'Incidents',
    summary: 'Leave an incident as it is',
    description:
      'Money that the processor took is kept: an open recovery is stopped, and nothing more is charged.',
  },
  schema: { path: incidentPath, body },
  answers: { 200: resolvedShape, ...refusals(400, 404, 409) },
  async answer({ path, body }, deps: OperatorContext) {
    const { incidentId } = await incidentToResolve(deps, path.id);
    return resolved(await deps.api.dismissIncident({ incidentId, reason: body.reason }));
  },
});

function resolved(outcome: ResolveOutcome) {
  switch (outcome.kind) {
    case 'not_found':
      throw new AppError('not_found', 'There is no incident with this id.');
    case 'refused':
      throw new AppError('conflict', outcome.because);
    case 'refunding':
      return contentAnswer({ state: outcome.kind, because: outcome.because });
    case 'refunded':
    case 'dismissed':
      return contentAnswer(present({ state: outcome.kind, status: outcome.status }));
  }
}
