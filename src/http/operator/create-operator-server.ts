import type { FastifyInstance } from 'fastify';
import { otherMethodsOf } from '../server/refuse-other-methods.ts';
import { bareServer } from './bare-server.ts';
import type { OperatorDeps } from './operator-deps.ts';
import { registerRoutes } from './register-routes.ts';

/**
 * The server of the operator's API: `/api` behind the operator token, and the probes and metrics
 * without one. It listens when the caller says so.
 */
export function createOperatorServer(deps: OperatorDeps): FastifyInstance {
  const server = bareServer(deps);
  const otherMethods = otherMethodsOf(server);
  registerRoutes(server, deps);
  otherMethods.refuse();
  return server;
}
