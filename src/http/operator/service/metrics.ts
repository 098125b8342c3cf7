import type { FastifyInstance } from 'fastify';
import type { OperatorDeps } from '../operator-deps.ts';

/** The version of Prometheus' text format that the numbers are written in. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8';

const example = '# TYPE recoup_attempts_total counter\nrecoup_attempts_total 1\n';

/** Everything measured. Its labels hold no id and no personal data, so it needs no token. */
export function metrics(server: FastifyInstance, deps: OperatorDeps): void {
  server.get(
    '/metrics',
    {
      schema: {
        tags: ['Service'],
        operationId: 'metrics',
        summary: 'Numbers for Prometheus',
        description: 'Needs no token. The labels hold no ids and no personal data.',
        response: {
          200: {
            description: "Prometheus' text format.",
            content: { 'text/plain': { schema: { type: 'string', examples: [example] } } },
          },
        },
      },
    },
    async (_request, reply) => reply.type(contentType).send(await deps.metrics()),
  );
}
