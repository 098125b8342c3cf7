import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Requests of one connection that may wait for those before them. What is read from a connection at once
 * has room for fewer of real ones; a client that writes more is no client of ours.
 */
const maxWaiting = 512;

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Lets a server work on one request of a connection at a time. A client may write the next ones before it
 * has an answer (pipelining, RFC 9112, 9.3.2), and Node would begin them all at once. Here they wait: what
 * arrived in the same read is kept in line, and nothing more is read until the line is empty. When
 * the connection ends, what waits in it is never begun.
 */
export function workInTurn(server: Server): void {
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const lines = new WeakMap<Socket, Turn[]>();

  const begin = (socket: Socket, { request, response }: Turn): void => {
    // A request that was cut off has no socket any more when its answer ends.
    response.once('close', () => endTurn(socket));
    for (const handle of handlers) handle.call(server, request, response);
  };

  const endTurn = (socket: Socket): void => {
    const line = lines.get(socket);
    const next = socket.destroyed ? undefined : line?.shift();
    if (next === undefined) {
      lines.delete(socket);
    } else {
      begin(socket, next);
    }
    // The last one of a line may still have a body to come.
    if (!socket.destroyed && (line === undefined || line.length === 0)) socket.resume();
  };

  server.on('connection', (socket: Socket) => {
    // Node reads on whenever a request's body is asked for, whoever stopped it.
    socket.on('resume', () => {
      if (lines.get(socket)?.length) socket.pause();
    });
  });

  server.on('request', (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, []);
      begin(socket, { request, response });
      return;
    }
    socket.pause();
    if (line.length < maxWaiting) line.push({ request, response });
    // Those beyond are not taken: the connection closes before their turn comes.
    else line.at(-1)?.response.setHeader('connection', 'close');
  });
}
