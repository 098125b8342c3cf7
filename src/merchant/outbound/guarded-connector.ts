import { once } from 'node:events';
import { connect, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { limits } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import { type AddressGuard, type Target, targetOf } from './address-guard.ts';
import { capAnswers } from './cap-answers.ts';
import { OutboundError } from './failure.ts';

export interface ConnectorSettings {
  /** For the connection, and again for the TLS handshake; the caller's deadline covers both. */
  readonly timeoutMs: number;
  /** Certificates (PEM) to trust instead of the system's. */
  readonly ca?: string;
}

const keepAliveInitialDelayMs = 60_000;
/** A first packet that is lost is sent again after a second; where that one is lost too, after two more. */
const maxAttemptMs = 3_500;

/**
 * A connector for undici that only connects where the guard allows: it resolves the name, checks
 * all its addresses, connects to that set without asking again (a second answer could differ), and
 * checks what it reached before a byte is written, the TLS greeting included. What comes in answer
 * to a request is capped, whatever it is.
 */
export function guardedConnector(
  guard: AddressGuard,
  settings: ConnectorSettings,
): buildConnector.connector {
  const { timeoutMs, ca } = settings;
  const startTls = buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    ...present({ ca }),
  });
  return (options, callback) => {
    const target = targetOf(options);
    const give = (socket: Socket): void => {
      capAnswers(socket, limits.merchantAnswerRawBytes);
      callback(null, socket);
    };
    openSocket(guard, target, timeoutMs).then(
      (socket) => {
        if (!target.secure) return give(socket);
        startTls({ ...options, httpSocket: socket }, (...[error, secure]) => {
          if (error === null) give(secure);
          else callback(error, null);
        });
      },
      (error: Error) => callback(error, null),
    );
  };
}

async function openSocket(guard: AddressGuard, target: Target, timeoutMs: number): Promise<Socket> {
  const resolution = await guard.resolve(target);
  if (resolution.kind === 'failed') throw new OutboundError(resolution.failure);
  const socket = connect({
    host: target.hostname,
    port: target.port,
    lookup: pinned(resolution.addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs(timeoutMs, resolution.addresses.length),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveInitialDelayMs,
  });
  // The owner listens for errors later; between two owners one must not end the process.
  socket.on('error', () => {});
  try {
    await connected(socket, timeoutMs);
    checkPeer(guard, target, socket.remoteAddress);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/**
 * How long an address is tried before the next one is. An attempt is given up then, and where the others lead nowhere
 * (IPv6, on a machine that has none) the library's half a second would fail what one lost packet delays.
 */
function attemptMs(timeoutMs: number, addresses: number): number {
  return Math.max(1, Math.min(maxAttemptMs, Math.floor(timeoutMs / addresses)));
}

async function connected(socket: Socket, timeoutMs: number): Promise<void> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    await once(socket, 'connect', { signal: deadline });
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw new OutboundError({ cause: 'timeout', detail: 'The server did not connect in time.' });
  }
}

function checkPeer(guard: AddressGuard, target: Target, address: string | undefined): void {
  if (address === undefined) {
    const detail = 'The connection was closed as soon as it was opened.';
    throw new OutboundError({ cause: 'connection_failed', detail });
  }
  const refusal = guard.refusalOf(target, address);
  if (refusal !== undefined) {
    throw new OutboundError({ cause: 'address_refused', detail: refusal });
  }
}

/** A look-up that gives the checked addresses, whatever it is asked. */
function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, options, callback) => {
    const [first] = found;
    if (options.all || first === undefined) callback(null, found);
    else callback(null, first.address, first.family);
  };
}
