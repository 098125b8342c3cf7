import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { overlapField, overlapMs } from '../credentials/overlap.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import {
  endpointJson,
  endpointPath,
  foundEndpoint,
  signedEndpointShape,
} from './endpoint-shape.ts';

const body = Type.Object(
  { overlap: Type.Optional(overlapField) },
  { additionalProperties: false, examples: [{ overlap: 'P1D' }] },
);

/** POST /api/merchants/{id}/webhook-endpoints/{endpoint_id}/rotate-secret */
export const rotateEndpointSecret = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/webhook-endpoints/{endpoint_id}/rotate-secret',
  needs: { role: 'administrator', reach: 'path' },
  docs: {
    id: 'rotateEndpointSecret',
    tag: 'Webhook endpoints',
    summary: "Rotate a webhook endpoint's signing secret",
    description:
      'Issues a new one and lets the present ones end after the overlap; until then both sign. It cannot be read again: keep it.',
  },
  schema: { path: endpointPath, body },
  answers: { 201: signedEndpointShape, ...refusals(400, 404, 409) },
  async answer({ path, body }, { api }: OperatorDeps) {
    const { id: merchantId, endpoint_id: endpointId } = path;
    const key = { merchantId, endpointId };
    const rotated = foundEndpoint(await api.rotateEndpointSecret(key, overlapMs(body.overlap)));
    const { endpoint, signingSecret } = rotated;
    return contentAnswer({ ...endpointJson(endpoint), signing_secret: signingSecret }, 201);
  },
});
