import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../../domain/limits.ts';
import { drainBytes } from '../server/read-body.ts';
import { createDrainTurns, type DrainTurns } from './drain-turns.ts';

/** Parsed at once where a request may begin: most are shorter, and not many fit in. */
const headBytes = 1024;
/** The same within a body that comes in chunks, of which nobody knows where it ends. */
const chunkedBytes = 8 * 1024;
export interface DrainLimits {
  /** Of one body. */
  readonly maxBytes: number;
  /** Between two reads, of all connections. */
  readonly pauseMs: number;
}

/**
 * Of a body that nobody reads any more all is still taken that any of ours may have: whoever sends it may look for the
 * answer only then. At most 64 KiB of 20 ms: 3 MiB a second.
 */
const drainLimits: DrainLimits = { maxBytes: limits.batchBytes + drainBytes, pauseMs: 20 };

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Node's own note that it waits for the client to read; what is parsed meanwhile is a fault to it. */
interface PausedSocket extends Socket {
  readonly _paused?: boolean;
}

interface Given {
  readonly parse: (bytes: Buffer) => void;
  readonly server: Server;
  readonly drain: DrainLimits;
  readonly drainTurns: DrainTurns;
}

/** What a connection has sent. */
interface Line extends Given {
  readonly socket: PausedSocket;
  unparsed: Buffer;
  /** The one that is worked on, and those that were parsed along with it. */
  current: Turn | undefined;
  readonly waiting: Turn[];
  /** The last one that was parsed, and how much of its body may be still to come. */
  last: IncomingMessage | undefined;
  bodyBytes: number;
  /** Stopped here, and not by Node, which does so for a body that is not asked for. */
  isStopped: boolean;
  /** The one whose body is thrown away as it comes, and how much of it may be. */
  left: IncomingMessage | undefined;
  leftBytes: number;
  /** It waits for its turn to read what is thrown away. */
  isQueued: boolean;
}

const lines = new WeakMap<Socket, Line>();

/**
 * Lets a server work on one request of a connection at a time. A client may write the next ones before it
 * has an answer (pipelining, RFC 9112, 9.3.2), and Node would parse all of a read, hundreds, and begin
 * them at once. Here they wait unparsed, and nothing more is read until those are done. When
 * the connection ends, what waits is never begun. What is left of a body when its answer has been sent, which Node
 * would read away as fast as it comes, is read in turns of all connections.
 */
export function workInTurn(server: Server, drain = drainLimits): void {
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const drainTurns = createDrainTurns(drain.pauseMs);

  server.on('connection', (socket: Socket) => {
    // Whoever asks for a connection's bytes gets them before Node's parser does, which else reads by itself.
    const [parse] = socket.listeners('data') as Line['parse'][];
    if (parse === undefined) return;
    socket.removeListener('data', parse);
    const line = newLine(socket, { parse, drain, drainTurns, server });
    lines.set(socket, line);
    socket.on('data', (bytes: Buffer) => {
      line.unparsed = line.unparsed.length === 0 ? bytes : Buffer.concat([line.unparsed, bytes]);
      if (isLeft(line)) takeTurn(line, bytes.length);
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
    turn.response.once('close', () => endTurn(line, turn.request));
    for (const handle of handlers) handle.call(server, turn.request, turn.response);
  }

  function endTurn(line: Line, ended: IncomingMessage): void {
    line.current = undefined;
    leaveBody(ended);
    const next = line.socket.destroyed ? undefined : line.waiting.shift();
    if (next !== undefined) begin(line, next);
    goOn(line);
  }
}

function newLine(socket: Socket, given: Given): Line {
  const requests = { current: undefined, waiting: [], last: undefined, left: undefined };
  const counts = { bodyBytes: 0, leftBytes: 0 };
  const states = { isStopped: false, isQueued: false };
  return { socket, ...given, unparsed: Buffer.alloc(0), ...requests, ...counts, ...states };
}

/**
 * Throws away what is still to come of a body, so that what its connection sends next is heard. One that is far
 * longer than any that is taken ends its connection.
 */
export function leaveBody(request: IncomingMessage): void {
  const line = lines.get(request.socket);
  if (request.complete || request.destroyed || line?.left === request) return;
  if (line !== undefined) {
    line.left = request;
    line.leftBytes = line.drain.maxBytes;
    takeTurn(line, 0);
    goOn(line);
  }
  request.resume();
}

function isLeft({ left }: Line): boolean {
  return left !== undefined && !left.complete;
}

/** Nothing more is read of it before its turn. */
function takeTurn(line: Line, readBytes: number): void {
  line.leftBytes -= readBytes;
  if (line.leftBytes < 0) line.socket.destroy();
  if (line.isQueued || line.socket.destroyed) return;
  line.isQueued = true;
  line.drainTurns.wait(() => {
    line.isQueued = false;
    // A server that closes waits for what is busy, as this connection was.
    if (line.server.listening || line.current !== undefined) goOn(line);
    else line.socket.destroy();
  });
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
  const mustWait = hasMore || (line.isQueued && isLeft(line));
  if (mustWait && !socket.isPaused()) {
    line.isStopped = true;
    socket.pause();
  } else if (!mustWait && line.isStopped) {
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
