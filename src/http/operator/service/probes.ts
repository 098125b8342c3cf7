import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { OperatorDeps } from '../operator-deps.ts';

const statusShape = (word: string, description: string) =>
  Type.Object(
    { status: Type.String({ const: word }) },
    { description, examples: [{ status: word }] },
  );

/** Whether the process lives, and whether it can work: for whoever starts and balances processes. */
export function probes(server: FastifyInstance, deps: OperatorDeps): void {
  server.get(
    '/healthz',
    {
      schema: {
        tags: ['Service'],
        operationId: 'health',
        summary: 'Whether the process lives',
        description: 'Needs no token.',
        response: { 200: statusShape('ok', 'It does.') },
      },
    },
    async () => ({ status: 'ok' }),
  );
  server.get(
    '/readyz',
    {
      schema: {
        tags: ['Service'],
        operationId: 'ready',
        summary: 'Whether the process can do its work',
        description: 'The database answers and has this version. Needs no token.',
        response: {
          200: statusShape('ready', 'It can.'),
          503: statusShape('not_ready', 'It cannot now; ask again.'),
        },
      },
    },
    async (_request, reply) => {
      const isReady = await deps.ready().catch(() => false);
      return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not_ready' });
    },
  );
}
