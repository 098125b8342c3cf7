import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import type { EmbeddedDeps } from './embedded-deps.ts';
import { findPostmaster, type Server, startPostmaster } from './postmaster.ts';
import { oneLine } from './system/system-error.ts';

export interface Running {
  readonly pid: number;
  readonly port: number;
  /** Of its socket file, where it has one. */
  readonly socketFolder: string | undefined;
  /** Whether it ran already: left by a process that was killed, or started by another just now. */
  readonly adopted: boolean;
  /** Whether it runs from the programs that we would start. */
  readonly sameProgram: boolean;
}

const portTries = 20;
const portFirst = 20_000;
const portCount = 12_000;
/** The last statements of a killed server's sessions may go on for a while. */
const heldWithinMs = minuteMs;
const heldStepMs = 200;

/**
 * Finds the cluster's running server, or starts one: on `port`, or on a free one. That of a server that was killed
 * comes first, so that its socket file is replaced. Returns when it accepts connections.
 *
 * @throws AppError database_start_failed
 */
export async function bringUp(
  deps: EmbeddedDeps,
  server: Server,
  input: { readonly port?: number; readonly signal?: AbortSignal } = {},
): Promise<Running> {
  const heldLimit = AbortSignal.timeout(heldWithinMs);
  let tries = 0;
  let wanted = server;
  for (;;) {
    const found = await findPostmaster(server, input.signal);
    if (found.kind === 'running') return { ...found, adopted: true };
    const lastPort = tries === 0 ? found.lastPort : undefined;
    const port = input.port ?? lastPort ?? randomPort(deps);
    const outcome = await startPostmaster(wanted, { ...input, ...found, port });
    switch (outcome.kind) {
      case 'ready':
        return { ...outcome, port, adopted: false, sameProgram: true };
      case 'port_taken':
        tries += 1;
        if (input.port !== undefined || tries === portTries) throw failed(`Port ${port} is taken.`);
        break;
      case 'no_socket_file': {
        const { socketFolder, ...byTcp } = wanted;
        if (socketFolder === undefined) throw failed('It takes no connections.');
        deps.log.info(`No socket file can be in ${socketFolder}: the database is reached by TCP.`);
        wanted = byTcp;
        break;
      }
      case 'held':
        if (heldLimit.aborted) throw failed('Processes of an earlier server still run.');
        await delay(heldStepMs, undefined, input.signal === undefined ? {} : input);
        break;
      case 'failed':
        throw failed(outcome.reason);
    }
  }
}

/**
 * A port below the ranges that systems give to outgoing connections (Linux from 32768, others from
 * 49152), so that none of those sits on it while a server is started again. Whether it is free
 * shows when the server takes it, without a gap between a look and the start.
 */
function randomPort(deps: EmbeddedDeps): number {
  const [high = 0, low = 0] = deps.random.bytes(2);
  return portFirst + ((high * 256 + low) % portCount);
}

function failed(reason: string): AppError {
  return new AppError('database_start_failed', `The embedded database did not start: ${reason}`);
}

/** An AppError as it is, anything else that went wrong as a failed start. */
export function asStartFailure(error: unknown): AppError {
  return error instanceof AppError ? error : failed(`${oneLine(error)}.`);
}
