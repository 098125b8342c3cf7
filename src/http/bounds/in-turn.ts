import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Parsed at once where a request may begin: most are shorter, and not many fit in. */
const headBytes = 1024;
/** The same within a body that comes in chunks, of which nobody knows where it ends. */
const chunkedBytes = 8 * 1024;

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Node's own note that it waits for the client to read; what is parsed meanwhile is a fault to it. */
interface PausedSocket extends Socket {
  readonly _paused?: boolean;
}

/** What a connection has sent. */
interface Line {
  readonly socket: PausedSocket;
  readonly parse: (bytes: Buffer) => void;
  unparsed: Buffer;
  /** The one that is worked on, and those that were parsed along with it. */
  current: Turn | undefined;
  readonly waiting: Turn[];
  /** The last one that was parsed, and how much of its body may be still to come. */
  last: IncomingMessage | undefined;
  bodyBytes: number;
  /** Stopped here, and not by Node, which does so for a body that is not asked for. */
  isStopped: boolean;
}

/**
 * Lets a server work on one request of a connection at a time. A client may write the next ones before it
 * has an answer (pipelining, RFC 9112, 9.3.2), and Node would parse all of a read, hundreds, and begin
 * them at once. Here they wait unparsed, and nothing more is read until those are done. When
 * the connection ends, what waits is never begun.
 */
export function workInTurn(server: Server): void {
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const lines = new WeakMap<Socket, Line>();

  server.on('connection', (socket: Socket) => {
    // Whoever asks for a connection's bytes gets them before Node's parser does, which else reads by itself.
    const [parse] = socket.listeners('data') as Line['parse'][];
    if (parse === undefined) return;
    socket.removeListener('data', parse);
    const line = newLine(socket, parse);
    lines.set(socket, line);
    socket.on('data', (bytes: Buffer) => {
      line.unparsed = line.unparsed.length === 0 ? bytes : Buffer.concat([line.unparsed, bytes]);
      goOn(line);
    });
    // Node reads on whenever a request's body is asked for, whoever stopped it.
    socket.on('resume', () => goOn(line));
  });

  server.on('request', (request, response) => {
    const line = lines.get(request.socket);
    if (line === undefined) return;
    line.last = request;
    line.bodyBytes = Number(request.headers['content-length'] ?? chunkedBytes);
    if (line.current === undefined) begin(line, { request, response });
    else line.waiting.push({ request, response });
  });

  function begin(line: Line, turn: Turn): void {
    line.current = turn;
    // A request that was cut off has no socket any more when its answer ends.
    turn.response.once('close', () => endTurn(line));
    for (const handle of handlers) handle.call(server, turn.request, turn.response);
  }

  function endTurn(line: Line): void {
    line.current = undefined;
    const next = line.socket.destroyed ? undefined : line.waiting.shift();
    if (next !== undefined) begin(line, next);
    goOn(line);
  }
}

function newLine(socket: Socket, parse: Line['parse']): Line {
  const requests = { current: undefined, waiting: [], last: undefined };
  return { socket, parse, unparsed: Buffer.alloc(0), ...requests, bodyBytes: 0, isStopped: false };
}

/** Parses up to the end of the request that is worked on, and reads where nothing waits. */
function goOn(line: Line): void {
  const { socket } = line;
  while (line.unparsed.length > 0 && !isHeld(line)) {
    // Its last answer is on the way, and its parser may be another connection's by now.
    if (socket.destroyed || socket.writableEnded) return;
    const bytes = line.unparsed.subarray(0, sliceBytes(line));
    line.unparsed = line.unparsed.subarray(bytes.length);
    line.bodyBytes -= bytes.length;
    line.parse(bytes);
  }
  const hasMore = line.unparsed.length > 0 || line.waiting.length > 0;
  if (hasMore && !socket.isPaused()) {
    line.isStopped = true;
    socket.pause();
  } else if (!hasMore && line.isStopped) {
    line.isStopped = false;
    socket.resume();
  }
}

/** A request that has not all arrived needs what comes. */
function isHeld({ socket, current, waiting }: Line): boolean {
  return socket._paused === true || waiting.length > 0 || current?.request.complete === true;
}

function sliceBytes({ last, bodyBytes }: Line): number {
  if (last === undefined || last.complete) return headBytes;
  const isChunked = last.headers['content-length'] === undefined;
  return Math.max(headBytes, isChunked ? chunkedBytes : bodyBytes);
}
