import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../../../domain/errors.ts';
import { send } from './answers.ts';
import { SandboxLedger } from './ledger.ts';
import { memorySink, openLedgerFile, openRefundsFile } from './ledger-file.ts';
import { SandboxRefunds } from './refunds.ts';
import { answerRequest, type SandboxDeps, type SandboxLog } from './routes.ts';

export interface SandboxPspOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Where the ledger is kept; without it, it lives in memory. */
  readonly ledgerDir?: string;
  readonly apiKey: string;
}

export interface SandboxPsp {
  readonly url: string;
  readonly port: number;
  /** Stops taking requests, answers those in flight, and closes the ledger. */
  close(): Promise<void>;
}

/** Longer than any client keeps a connection idle, so that a charge never meets a closing socket. */
const keepAliveMs = 75_000;
/** How long those in flight have at the end: each waits for one write to the disk at most. */
const closeGraceMs = 2_000;

/**
 * The pretended payment service provider: a real HTTP server with a ledger of its own. Its API and
 * the payment method ids that choose an outcome are in docs/sandbox.md.
 *
 * @throws AppError port_taken, config_invalid (an address that cannot be listened on),
 *   data_dir_unusable (the ledger cannot be opened or is damaged)
 */
export async function startSandboxPsp(
  deps: Pick<SandboxDeps, 'clock' | 'random' | 'decide'> & { readonly log?: SandboxLog },
  options: SandboxPspOptions,
): Promise<SandboxPsp> {
  const { ledger, refunds } = await openRecord(options.ledgerDir);
  const server = createSandboxServer({ ...deps, ledger, refunds, apiKey: options.apiKey });
  try {
    await listen(server, options);
  } catch (error) {
    await Promise.all([ledger.close(), refunds.close()]);
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    port,
    async close() {
      await stop(server);
      await Promise.all([ledger.close(), refunds.close()]);
    },
  };
}

async function openRecord(folder: string | undefined) {
  if (folder === undefined) {
    return { ledger: new SandboxLedger(memorySink), refunds: new SandboxRefunds(memorySink) };
  }
  const charges = await openLedgerFile(folder);
  const ledger = new SandboxLedger(charges.sink, charges.charges);
  try {
    const refunds = await openRefundsFile(folder);
    return { ledger, refunds: new SandboxRefunds(refunds.sink, refunds.refunds) };
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/** The server without a port, for those who bring their own ledger. */
export function createSandboxServer(
  own: Omit<SandboxDeps, 'refunds'> & Partial<SandboxDeps>,
): Server {
  const deps = { refunds: new SandboxRefunds(memorySink), ...own };
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    void answerRequest(deps, request).then((answer) => {
      // Node leaves the connection of a request in flight open when its server closes.
      if (!server.listening) response.shouldKeepAlive = false;
      if (answer !== undefined) send(response, answer);
    });
  });
  return server;
}

function listen(server: Server, options: SandboxPspOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const where = `${options.host}:${options.port}`;
      reject(
        error.code === 'EADDRINUSE'
          ? new AppError('port_taken', `The sandbox PSP's port is taken: ${where}.`)
          : new AppError('config_invalid', `The sandbox PSP cannot listen on ${where}.`, {
              cause: error,
            }),
      );
    });
    server.listen(options.port, options.host, resolve);
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), closeGraceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
  });
}
