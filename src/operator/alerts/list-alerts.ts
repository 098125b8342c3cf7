import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { listAlertSilences, listAlertStates } from '../../store/alerts/read-alert-page.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { whose } from '../session/permit.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import {
  firingExample,
  firingJson,
  firingShape,
  silenceExample,
  silenceJson,
  silenceShape,
} from './alert-shapes.ts';

const query = Type.Object(
  { merchant_id: Type.Optional(merchantIdField) },
  { additionalProperties: false },
);

/** GET /api/alerts */
export const listAlerts = defineEndpoint({
  method: 'GET',
  path: '/api/alerts',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'listAlerts',
    tag: 'Alerts',
    summary: 'List alerts',
    description:
      'What the last check found, at most a minute or two ago, and which of it is silenced.',
  },
  schema: { query },
  answers: {
    200: Type.Object(
      { alerts: Type.Array(firingShape), silences: Type.Array(silenceShape) },
      {
        description: 'The newest first.',
        examples: [{ alerts: [firingExample], silences: [silenceExample] }],
      },
    ),
    ...refusals(400),
  },
  async answer({ query }, context: Pick<OperatorContext, 'db' | 'machine' | 'caller'>) {
    const { db, machine } = context;
    const at = machine.now();
    const asked = whose(context, query);
    const [states, silences] = await Promise.all([
      listAlertStates(db, asked),
      listAlertSilences(db, { ...asked, at }),
    ]);
    return contentAnswer({
      alerts: states.map((state) => firingJson(state, { silences, at })),
      silences: silences.map(silenceJson),
    });
  },
});
