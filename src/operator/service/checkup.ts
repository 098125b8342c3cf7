import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { checkNames, findingVerdicts } from '../../recovery/checkup/finding.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';

const findingShape = Type.Object({
  check: enumField([...checkNames], 'What was looked at.'),
  verdict: enumField([...findingVerdicts], 'In order, worth a look, or broken.'),
  found: Type.String({ description: 'What was found.' }),
  action: Type.Optional(Type.String({ description: 'What to do about it.' })),
  merchant_id: Type.Optional(Type.String({ description: 'Whose it is, of a merchant’s own.' })),
});

export const checkupShape = Type.Object(
  {
    healthy: Type.Boolean({ description: 'Whether nothing is broken; warnings may be there.' }),
    items: Type.Array(findingShape),
  },
  {
    description: 'Everything that was looked at.',
    examples: [
      {
        healthy: false,
        items: [
          { check: 'migrations', verdict: 'good', found: 'The database has this version.' },
          {
            check: 'psp',
            verdict: 'bad',
            found: 'stripe refuses the credentials: the key is revoked.',
            action: 'Run recoup psps connect mer_3v5k stripe --from <file> with valid ones.',
            merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
          },
        ],
      },
    ],
  },
);

/** GET /api/checkup */
export const checkup = defineEndpoint({
  method: 'GET',
  path: '/api/checkup',
  needs: { role: 'viewer', reach: 'all' },
  docs: {
    id: 'checkup',
    tag: 'Service',
    summary: 'Look for what keeps the deployment from working',
    description:
      'Looks at the database, the clocks, the keys, late work and failing webhooks; connects to the servers of up to 100 merchants without a request, and asks their processors about the credentials. It changes nothing and may take as long as the slowest of those.',
  },
  answers: { 200: checkupShape, ...refusals() },
  async answer(_asked, deps: OperatorDeps) {
    const findings = await deps.checkup();
    return contentAnswer({
      healthy: findings.every(({ verdict }) => verdict !== 'bad'),
      items: findings.map(({ merchantId, ...finding }) =>
        present({ ...finding, merchant_id: merchantId }),
      ),
    });
  },
});
