import type { FastifyInstance } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { Closable } from '../context.ts';

export interface Listener extends Closable {
  readonly url: string;
}

/** @throws AppError port_taken, config_invalid */
export async function listen(
  server: FastifyInstance,
  at: { readonly host: string; readonly port: number; readonly name: string },
): Promise<Listener> {
  try {
    const url = await server.listen({ host: at.host, port: at.port });
    return { url, close: () => server.close() };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') {
      throw new AppError('port_taken', `Port ${at.port} of the ${at.name} is taken.`, {
        cause: error,
      });
    }
    if (code === 'EADDRNOTAVAIL' || code === 'EACCES') {
      const detail = `The ${at.name} cannot listen on ${at.host}:${at.port} (${code}).`;
      throw new AppError('config_invalid', detail, { cause: error });
    }
    throw error;
  }
}
