import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { listRestoreChecks as readRestoreChecks } from '../../store/reconciliation/restore-store.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { restoreCheckJson, restoreCheckShape } from './reconciliation-shape.ts';

/** GET /api/restore-checks */
export const listRestoreChecks = defineEndpoint({
  method: 'GET',
  path: '/api/restore-checks',
  needs: { role: 'viewer', reach: 'all' },
  docs: {
    id: 'listRestoreChecks',
    tag: 'Service',
    summary: 'List checks of restored backups',
    description: 'The newest first; 50 at most.',
  },
  answers: {
    200: Type.Object({ items: Type.Array(restoreCheckShape) }, { description: 'The checks.' }),
    ...refusals(),
  },
  async answer(_asked, { db }: Pick<OperatorDeps, 'db'>) {
    const checks = await readRestoreChecks(db);
    return contentAnswer({ items: checks.map(restoreCheckJson) });
  },
});
