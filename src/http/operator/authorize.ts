import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';

/**
 * A hook that lets only the holder of the token pass, before a body is read. Hashes of one length
 * are compared, so that the time taken tells nothing about the token.
 */
export function authorize(
  operatorToken: string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const expected = sha256(operatorToken);
  return async (request, reply) => {
    const given = /^bearer +([^\s]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (given !== undefined && timingSafeEqual(sha256(given), expected)) return;
    reply.header('www-authenticate', 'Bearer realm="recoup operator"');
    throw new AppError('operator_unauthorized');
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
