import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { noContent } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { credentialIdField } from './credential-shape.ts';

const path = Type.Object({ id: merchantIdField, credential_id: credentialIdField });

/** DELETE /api/merchants/{id}/credentials/{credential_id} */
export const revokeCredential = defineEndpoint({
  method: 'DELETE',
  path: '/api/merchants/{id}/credentials/{credential_id}',
  needs: { role: 'administrator', reach: 'path' },
  docs: { id: 'revokeCredential', tag: 'Credentials', summary: 'Revoke a credential at once' },
  schema: { path },
  answers: {
    204: Type.Null({ description: 'It is not valid any more.' }),
    ...refusals(404),
  },
  async answer({ path }, deps: OperatorDeps) {
    const { id, credential_id: credentialId } = path;
    const isRevoked = await deps.api.revokeCredential(id, credentialId);
    if (!isRevoked) {
      throw new AppError('not_found', 'The merchant has no valid credential with this id.');
    }
    return noContent;
  },
});
