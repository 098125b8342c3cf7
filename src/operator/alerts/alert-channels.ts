import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { shapedField } from '../../http/fields.ts';
import { contentAnswer, noContent } from '../../http/server/answer.ts';
import type { ChannelTarget } from '../../recovery/alerts/alert-ports.ts';
import {
  listAlertRoutes,
  listAlertChannels as readChannels,
} from '../../store/alerts/read-alert-page.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { messageField, refusals } from '../shapes.ts';
import {
  alertPath,
  channelExample,
  channelJson,
  channelShape,
  routeExample,
  routeJson,
  routeShape,
  there,
} from './alert-shapes.ts';

const urlField = Type.String({
  pattern: '^[hH][tT][tT][pP][sS]?://.',
  maxLength: 2_048,
  description: 'Kept sealed.',
  'x-fault': 'Input should be an address that begins with https://',
});
const emailField = shapedField(
  'Kept sealed.',
  '^[^\\s@<>,;]{1,64}@[^\\s@<>,;]{1,255}$',
  'an e-mail address, such as oncall@example.com',
);

const targetField = Type.Unsafe<ChannelTarget>({
  title: 'AlertTarget',
  type: 'object',
  description: 'Where it sends to. Never shown again.',
  discriminator: { propertyName: 'kind' },
  'x-fault': "Input should have the kind 'email', 'slack' or 'webhook'",
  oneOf: [
    Type.Object(
      {
        kind: Type.Literal('email'),
        to: Type.Array(emailField, { minItems: 1, maxItems: 20 }),
      },
      { title: 'EmailTarget', additionalProperties: false },
    ),
    Type.Object(
      { kind: Type.Literal('slack'), url: urlField },
      { title: 'SlackTarget', additionalProperties: false },
    ),
    Type.Object(
      {
        kind: Type.Literal('webhook'),
        url: urlField,
        secret: Type.String({
          minLength: 24,
          maxLength: 200,
          description: 'Signs each message as webhooks to merchants are signed.',
        }),
      },
      { title: 'WebhookTarget', additionalProperties: false },
    ),
  ],
});

const nameField = messageField('A name for people to recognise it by.', 100);

const newBody = Type.Object(
  { name: nameField, target: targetField },
  {
    additionalProperties: false,
    examples: [{ name: 'On call', target: { kind: 'email', to: ['oncall@example.com'] } }],
  },
);

const changeBody = Type.Object(
  {
    name: Type.Optional(nameField),
    target: Type.Optional(targetField),
    is_paused: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ is_paused: true }] },
);

const needs = { role: 'administrator', reach: 'all' } as const;
type ApiDeps = Pick<OperatorDeps, 'api'>;

/** GET /api/alert-channels */
export const listAlertChannels = defineEndpoint({
  method: 'GET',
  path: '/api/alert-channels',
  needs: { role: 'viewer', reach: 'all' },
  docs: {
    id: 'listAlertChannels',
    tag: 'Alerts',
    summary: 'List channels and routes',
    description: 'Where alerts are sent, and which alerts go where.',
  },
  answers: {
    200: Type.Object(
      { channels: Type.Array(channelShape), routes: Type.Array(routeShape) },
      {
        description: 'The oldest first.',
        examples: [{ channels: [channelExample], routes: [routeExample] }],
      },
    ),
    ...refusals(),
  },
  async answer(_asked, { db }: Pick<OperatorDeps, 'db'>) {
    const [channels, routes] = await Promise.all([readChannels(db), listAlertRoutes(db)]);
    return contentAnswer({ channels: channels.map(channelJson), routes: routes.map(routeJson) });
  },
});

/** POST /api/alert-channels */
export const addAlertChannel = defineEndpoint({
  method: 'POST',
  path: '/api/alert-channels',
  needs,
  docs: {
    id: 'addAlertChannel',
    tag: 'Alerts',
    summary: 'Add a channel',
    description: 'Nothing is sent to it until a route leads to it.',
  },
  schema: { body: newBody },
  answers: { 201: channelShape, ...refusals(400) },
  async answer({ body }, { api }: ApiDeps) {
    return contentAnswer(channelJson(await api.addAlertChannel(body)), 201);
  },
});

/** PATCH /api/alert-channels/{id} */
export const changeAlertChannel = defineEndpoint({
  method: 'PATCH',
  path: '/api/alert-channels/{id}',
  needs,
  docs: {
    id: 'changeAlertChannel',
    tag: 'Alerts',
    summary: 'Change or pause a channel',
    description: 'Messages still waiting to be sent go to the new address.',
  },
  schema: { path: alertPath, body: changeBody },
  answers: { 200: channelShape, ...refusals(400, 404) },
  async answer({ path, body }, { api }: ApiDeps) {
    const { name, target, is_paused: isPaused } = body;
    const changed = await api.changeAlertChannel(path.id, present({ name, target, isPaused }));
    return contentAnswer(channelJson(there(changed, 'channel')));
  },
});

/** DELETE /api/alert-channels/{id} */
export const removeAlertChannel = defineEndpoint({
  method: 'DELETE',
  path: '/api/alert-channels/{id}',
  needs,
  docs: {
    id: 'removeAlertChannel',
    tag: 'Alerts',
    summary: 'Remove a channel',
    description: 'Its routes and messages go with it.',
  },
  schema: { path: alertPath },
  answers: { 204: Type.Null({ description: 'It is removed.' }), ...refusals(404) },
  async answer({ path }, { api }: ApiDeps) {
    there((await api.removeAlertChannel(path.id)) || undefined, 'channel');
    return noContent;
  },
});

/** POST /api/alert-channels/{id}/test */
export const testAlertChannel = defineEndpoint({
  method: 'POST',
  path: '/api/alert-channels/{id}/test',
  needs,
  docs: {
    id: 'testAlertChannel',
    tag: 'Alerts',
    summary: 'Send a test to a channel',
    description: 'Sent at once; the answer says whether it was accepted.',
  },
  schema: { path: alertPath },
  answers: {
    200: Type.Object(
      {
        sent: Type.Boolean(),
        detail: Type.Optional(Type.String({ description: 'Why it was not accepted.' })),
      },
      { title: 'AlertTest', description: 'What became of it.', examples: [{ sent: true }] },
    ),
    ...refusals(404),
  },
  async answer({ path }, { api }: ApiDeps) {
    const outcome = there(await api.testAlertChannel(path.id), 'channel');
    if (outcome.kind === 'sent') return contentAnswer({ sent: true });
    return contentAnswer({ sent: false, detail: outcome.detail });
  },
});
