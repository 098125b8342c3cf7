import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { incidentSeen } from './incident-seen.ts';
import { incidentJson, incidentPath, incidentShape } from './incident-shape.ts';

/** GET /api/incidents/{id} */
export const showIncident = defineEndpoint({
  method: 'GET',
  path: '/api/incidents/{id}',
  needs: { role: 'viewer', reach: 'own' },
  docs: {
    id: 'showIncident',
    tag: 'Incidents',
    summary: 'Show an incident',
    description: 'Both records of the charge, side by side.',
  },
  schema: { path: incidentPath },
  answers: { 200: incidentShape, ...refusals(404) },
  async answer({ path }, deps: Pick<OperatorContext, 'db' | 'caller'>) {
    const incident = await incidentSeen(deps, path.id);
    return contentAnswer(incidentJson(incident));
  },
});
