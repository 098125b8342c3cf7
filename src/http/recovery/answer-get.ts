import type { FastifyRequest } from 'fastify';
import type { RecoveryApi } from '../../recovery/api.ts';
import { compileQuery } from '../check-query.ts';
import type { Answer } from '../server/answer.ts';
import { invalidRequest } from './answers.ts';
import type { Caller } from './caller.ts';
import type { GetEndpoint } from './endpoint.ts';

/** Answers one GET endpoint's requests: checks the query, then asks the engine. */
export function answerGet(
  api: RecoveryApi,
  endpoint: GetEndpoint,
): (request: FastifyRequest, caller: Caller) => Promise<Answer> {
  const checkQuery = endpoint.query === undefined ? undefined : compileQuery(endpoint.query);
  return async (request, caller) => {
    const path = request.params as Readonly<Record<string, string>>;
    if (checkQuery === undefined) return endpoint.answer({ api, caller, path, query: {} });
    const result = checkQuery(request.query);
    return result.kind === 'faults'
      ? invalidRequest(result.faults)
      : endpoint.answer({ api, caller, path, query: result.query });
  };
}
