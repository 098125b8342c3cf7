import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { incidentStates } from '../../domain/states.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField, idField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { listIncidents as readIncidents } from '../../store/incidents/read-incidents.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { whose } from '../session/permit.ts';
import { merchantIdField, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { incidentJson, incidentShape } from './incident-shape.ts';

const query = Type.Object(
  {
    merchant_id: Type.Optional(merchantIdField),
    invoice_id: Type.Optional(idField('Only those of this invoice.')),
    state: Type.Optional(
      enumField(['unresolved', ...incidentStates], 'unresolved: open or refunding.'),
    ),
    ...pageQuery,
  },
  { additionalProperties: false },
);

/** GET /api/incidents */
export const listIncidents = defineEndpoint({
  method: 'GET',
  path: '/api/incidents',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'listIncidents',
    tag: 'Incidents',
    summary: 'List what contradicts the record',
    description: 'Newest first. While an incident is open or refunding, its invoice is frozen.',
  },
  schema: { query },
  answers: { 200: pageShape(incidentShape, 'One page of them.'), ...refusals(400) },
  async answer({ query }, context: Pick<OperatorContext, 'db' | 'caller'>) {
    const { invoice_id: invoiceId, state } = query;
    const page = await readIncidents(context.db, {
      ...whose(context, query),
      ...present({ invoiceId, state }),
      ...pageOf(query),
    });
    return contentAnswer(pageJson(page, incidentJson));
  },
});
