import { Type } from 'typebox';
import { minuteMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer, noContent } from '../../http/server/answer.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { merchantIdField, messageField, refusals } from '../shapes.ts';
import { alertKindField, alertPath, silenceJson, silenceShape, there } from './alert-shapes.ts';

const body = Type.Object(
  {
    kind: Type.Optional(alertKindField),
    merchant_id: Type.Optional(merchantIdField),
    reason: messageField('Why, for other operators.', 500),
    minutes: Type.Integer({
      minimum: 1,
      maximum: 43_200,
      description: 'How long; 30 days at most.',
    }),
  },
  {
    additionalProperties: false,
    examples: [{ kind: 'endpoint_failing', reason: 'they move servers tonight', minutes: 240 }],
  },
);

const needs = { role: 'operator', reach: 'all' } as const;

/** POST /api/alert-silences */
export const silenceAlerts = defineEndpoint({
  method: 'POST',
  path: '/api/alert-silences',
  needs,
  docs: {
    id: 'silenceAlerts',
    tag: 'Alerts',
    summary: 'Silence alerts',
    description: 'Alerts that still stand when it ends are sent then.',
  },
  schema: { body },
  answers: { 201: silenceShape, ...refusals(400) },
  async answer({ body }, { api, caller }: Pick<OperatorContext, 'api' | 'caller'>) {
    const { kind, merchant_id: merchantId, reason, minutes } = body;
    const silence = await api.silenceAlerts({
      ...present({ kind, merchantId }),
      reason,
      createdBy: caller.operatorId ?? 'operator',
      durationMs: minutes * minuteMs,
    });
    return contentAnswer(silenceJson(silence), 201);
  },
});

/** DELETE /api/alert-silences/{id} */
export const endAlertSilence = defineEndpoint({
  method: 'DELETE',
  path: '/api/alert-silences/{id}',
  needs,
  docs: {
    id: 'endAlertSilence',
    tag: 'Alerts',
    summary: 'End a silence',
    description: 'The alerts it held back are sent at the next check if they still stand.',
  },
  schema: { path: alertPath },
  answers: { 204: Type.Null({ description: 'It has ended.' }), ...refusals(404) },
  async answer({ path }, { api }: Pick<OperatorContext, 'api'>) {
    there((await api.endAlertSilence(path.id)) || undefined, 'silence that lasts');
    return noContent;
  },
});
