import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { keysJson, keysShape, rotationJson, rotationShape } from './keys-shape.ts';

/** GET /api/keys: what the data keys are wrapped by. */
export const listKeys = defineEndpoint({
  method: 'GET',
  path: '/api/keys',
  needs: { role: 'administrator', reach: 'all' },
  docs: {
    id: 'listKeys',
    tag: 'Service',
    summary: 'Show the encryption keys',
    description: 'Only their ids, and which of them may be removed from the settings.',
  },
  answers: { 200: keysShape, ...refusals() },
  async answer(_asked, { api }: Pick<OperatorDeps, 'api'>) {
    return contentAnswer(keysJson(await api.showKeys()));
  },
});

const rotateBody = Type.Object(
  { new_data_keys: Type.Optional(Type.Boolean({ description: 'Absent: false.' })) },
  {
    description: 'May be left out.',
    additionalProperties: false,
    examples: [{}, { new_data_keys: true }],
  },
);

/** POST /api/keys/rotations: wraps everything by the present key. */
export const rotateKeys = defineEndpoint({
  method: 'POST',
  path: '/api/keys/rotations',
  needs: { role: 'administrator', reach: 'all' },
  docs: {
    id: 'rotateKeys',
    tag: 'Service',
    summary: 'Rotate the encryption key',
    description:
      'A worker rewraps every key that ENCRYPTION_KEY does not wrap yet, page by page, while everything else ' +
      'continues; GET /api/keys shows its progress. Calling again continues it, or finds nothing to do. ' +
      '`new_data_keys`: every merchant also gets a new data key, which seals what is written from ' +
      'then on; data encrypted with older ones stays as it is. 409: something is wrapped by a key that this ' +
      'service does not have.',
  },
  schema: { body: rotateBody },
  body: { isOptional: true },
  answers: { 202: rotationShape, ...refusals(400, 409) },
  async answer({ body }, { api }: Pick<OperatorDeps, 'api'>) {
    const rotation = await api.rotateKeys({ newDataKeys: body.new_data_keys ?? false });
    return contentAnswer(rotationJson(rotation), 202);
  },
});
