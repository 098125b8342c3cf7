import type { FastifyInstance } from 'fastify';
import { createBounds } from '../http/bounds/bounds.ts';
import { otherMethodsOf } from '../http/server/refuse-other-methods.ts';
import { bareServer } from './bare-server.ts';
import type { OperatorDeps, ProbeDeps } from './operator-deps.ts';
import { serveProbes } from './serve-operator.ts';

/** The server of a process's probes and metrics alone. It listens when the caller says so. */
export function createProbeServer(
  deps: ProbeDeps & Pick<OperatorDeps, 'bounds' | 'hosts' | 'proxies' | 'random' | 'log'>,
): FastifyInstance {
  const bounds = createBounds(deps.bounds, deps.bounds.settings);
  const server = bareServer(deps, bounds);
  const otherMethods = otherMethodsOf(server);
  serveProbes(server, deps);
  otherMethods.refuse();
  return server;
}
