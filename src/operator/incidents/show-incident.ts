import { AppError } from '../../domain/errors.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { findIncident } from '../../store/incidents/read-incidents.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { incidentJson, incidentPath, incidentShape } from './incident-shape.ts';

/** GET /api/incidents/{id} */
export const showIncident = defineEndpoint({
  method: 'GET',
  path: '/api/incidents/{id}',
  docs: {
    id: 'showIncident',
    tag: 'Incidents',
    summary: 'Show an incident',
    description: 'Both records of the charge, side by side.',
  },
  schema: { path: incidentPath },
  answers: { 200: incidentShape, ...refusals(404) },
  async answer({ path }, { db }: Pick<OperatorDeps, 'db'>) {
    const incident = await findIncident(db, { incidentId: path.id });
    if (incident === undefined) throw new AppError('not_found', 'There is no incident of this id.');
    return contentAnswer(incidentJson(incident));
  },
});
