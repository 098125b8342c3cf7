import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { readEndpointSuccess } from '../../store/endpoints/endpoint-success.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { countField, refusals } from '../shapes.ts';
import { answerTimesShape, anyEndpointPath } from './endpoint-shape.ts';

const daysDefault = 7;

const query = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 30,
        default: daysDefault,
        description: 'How many, today included; of one or two the hours are shown.',
      }),
    ),
  },
  { additionalProperties: false },
);

const successShape = Type.Object(
  {
    step: enumField(['hour', 'day'], 'The length of a step.'),
    points: Type.Array(
      Type.Object(
        {
          at: timeField('When the step begins.'),
          sent: countField('Events of the step that were sent once at least.'),
          accepted: countField('Of them accepted at their first send.'),
          duration_ms: Type.Optional(
            answerTimesShape('Of up to 200 answers that accepted events of the step.'),
          ),
        },
        { title: 'EndpointSuccessPoint' },
      ),
    ),
  },
  {
    title: 'EndpointSuccess',
    description: 'How first sends went, by the time at which their events were recorded.',
    examples: [
      {
        step: 'day',
        points: [
          {
            at: '2026-03-01T00:00:00.000Z',
            sent: 412,
            accepted: 409,
            duration_ms: { median: 84, p95: 210 },
          },
        ],
      },
    ],
  },
);

/** GET /api/merchants/{id}/webhook-endpoints/{endpoint_id}/success */
export const showEndpointSuccess = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/webhook-endpoints/{endpoint_id}/success',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'showEndpointSuccess',
    tag: 'Webhook endpoints',
    summary: "Show how a webhook endpoint's first sends went",
    description: 'The share that was accepted at once, and how long answers took, by hour or day.',
  },
  schema: { path: anyEndpointPath, query },
  answers: { 200: successShape, ...refusals(400, 404) },
  async answer(
    { path, query },
    { db, reports, now }: Pick<OperatorDeps, 'db' | 'reports' | 'now'>,
  ) {
    const { merchantId } = await findMerchant(db, path.id);
    const { step, points } = await readEndpointSuccess(reports, {
      merchantId,
      endpointId: path.endpoint_id,
      days: query.days ?? daysDefault,
      now: now(),
    });
    return contentAnswer({
      step,
      points: points.map(({ at, sent, accepted, durationMs }) =>
        present({ at: at.toISOString(), sent, accepted, duration_ms: durationMs }),
      ),
    });
  },
});
