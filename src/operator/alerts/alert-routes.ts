import { Type } from 'typebox';
import { minuteMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer, noContent } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import {
  alertKindField,
  alertPath,
  routeJson,
  routeShape,
  severityField,
  there,
} from './alert-shapes.ts';

const body = Type.Object(
  {
    severities: Type.Optional(Type.Array(severityField, { minItems: 1, uniqueItems: true })),
    kinds: Type.Optional(Type.Array(alertKindField, { minItems: 1, uniqueItems: true })),
    merchants: Type.Optional(
      Type.Array(merchantIdField, { minItems: 1, maxItems: 1_000, uniqueItems: true }),
    ),
    repeat_minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 43_200, description: 'Default: 240.' }),
    ),
    tells_resolved: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
  },
  { additionalProperties: false, examples: [{ severities: ['page'], repeat_minutes: 60 }] },
);

const usualRepeatMinutes = 240;
const needs = { role: 'administrator', reach: 'all' } as const;

/** POST /api/alert-channels/{id}/routes */
export const addAlertRoute = defineEndpoint({
  method: 'POST',
  path: '/api/alert-channels/{id}/routes',
  needs,
  docs: {
    id: 'addAlertRoute',
    tag: 'Alerts',
    summary: 'Route alerts to a channel',
    description:
      'Alerts that match every given condition. An alert that matches several routes is sent once.',
  },
  schema: { path: alertPath, body },
  answers: { 201: routeShape, ...refusals(400, 404) },
  async answer({ path, body }, { api }: Pick<OperatorDeps, 'api'>) {
    const { severities, kinds, merchants, repeat_minutes: minutes = usualRepeatMinutes } = body;
    const route = await api.addAlertRoute({
      channelId: path.id,
      ...present({ severities, kinds, merchants }),
      repeatMs: minutes * minuteMs,
      tellsResolved: body.tells_resolved ?? true,
    });
    return contentAnswer(routeJson(there(route, 'channel')), 201);
  },
});

/** DELETE /api/alert-routes/{id} */
export const removeAlertRoute = defineEndpoint({
  method: 'DELETE',
  path: '/api/alert-routes/{id}',
  needs,
  docs: {
    id: 'removeAlertRoute',
    tag: 'Alerts',
    summary: 'Remove a route',
    description: 'Alerts already sent are not recalled, and their end is not announced.',
  },
  schema: { path: alertPath },
  answers: { 204: Type.Null({ description: 'It is removed.' }), ...refusals(404) },
  async answer({ path }, { api }: Pick<OperatorDeps, 'api'>) {
    there((await api.removeAlertRoute(path.id)) || undefined, 'route');
    return noContent;
  },
});
