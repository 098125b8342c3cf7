import { Type } from 'typebox';
import { psps } from '../../domain/psps.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { pspField } from './psp-shape.ts';

const shape = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          psp: pspField,
          credentials: Type.Array(
            Type.Object(
              {
                name: Type.String({ description: 'The field of a connection.' }),
                label: Type.String({ description: "What the processor's own pages call it." }),
                required: Type.Boolean(),
                secret: Type.Boolean(),
                meaning: Type.String({ description: 'What it is and where to find it.' }),
              },
              { title: 'PspField' },
            ),
          ),
        },
        { title: 'SupportedPsp' },
      ),
    ),
  },
  {
    description: 'Every processor, in the order of the enumeration.',
    examples: [
      {
        items: [
          {
            psp: 'stripe',
            credentials: [
              {
                name: 'secret_key',
                label: 'Secret key',
                required: true,
                secret: true,
                meaning: 'A secret or restricted key of the account.',
              },
            ],
          },
          { psp: 'sandbox', credentials: [] },
        ],
      },
    ],
  },
);

/** GET /api/psps */
export const listPsps = defineEndpoint({
  method: 'GET',
  path: '/api/psps',
  needs: { role: 'viewer', reach: 'nobody' },
  docs: {
    id: 'listPsps',
    tag: 'PSP connections',
    summary: 'List the processors that can be connected',
  },
  answers: { 200: shape, ...refusals() },
  async answer(_asked, deps: Pick<OperatorDeps, 'supportedPsps'>) {
    return contentAnswer({
      items: psps.flatMap((psp) => {
        const credentials = deps.supportedPsps[psp];
        return credentials === undefined ? [] : [{ psp, credentials: [...credentials] }];
      }),
    });
  },
});
