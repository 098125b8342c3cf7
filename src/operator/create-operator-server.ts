import type { FastifyInstance } from 'fastify';
import { createBounds } from '../http/bounds/bounds.ts';
import { addDocs } from '../http/docs/add-docs.ts';
import { otherMethodsOf } from '../http/server/refuse-other-methods.ts';
import { bareServer } from './bare-server.ts';
import { serveDashboard } from './dashboard/serve-dashboard.ts';
import type { OperatorDeps } from './operator-deps.ts';
import { serveOperator } from './serve-operator.ts';

/**
 * The server of the operator's API: `/api` behind the operator token; the probes, the metrics and the
 * API reference without one, and the dashboard on all the rest. It listens when the caller says so.
 */
export function createOperatorServer(deps: OperatorDeps): FastifyInstance {
  const bounds = createBounds(deps.bounds, deps.bounds.settings);
  const server = bareServer(deps, bounds);
  // Before the paths are noted: its wildcard must not make every unknown path one that has methods.
  if (deps.dashboard !== undefined) serveDashboard(server, deps.dashboard, deps.portals);
  const otherMethods = otherMethodsOf(server);
  serveOperator(server, deps, bounds);
  addDocs(server, {
    title: 'Recoup operator API',
    securityScheme: 'operator',
    documents: [
      {
        title: 'Operator API',
        file: 'openapi.json',
        make: async () => (await import('./operator-open-api.ts')).operatorOpenApi(),
        isOfThisServer: true,
      },
    ],
  });
  otherMethods.refuse();
  return server;
}
