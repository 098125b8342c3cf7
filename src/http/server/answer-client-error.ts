import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerOnSocket } from './answer-on-socket.ts';
import { type TransportAnswers, transportAnswer } from './transport-answers.ts';

/** Node's own note of the response that a connection is busy with; its default handler reads it. */
interface BusySocket extends Socket {
  readonly _httpMessage?: ServerResponse<IncomingMessage> | null;
}

/**
 * Answers what Node's parser refused. Where a request that arrived whole is still being worked on,
 * or its answer is on the way, the connection is closed without a word: an error written now would
 * be taken for the answer to that request, which may well have been carried out.
 */
export function answerClientError(
  answers: TransportAnswers,
  newUuid: () => string,
): (error: { readonly code?: string }, socket: Socket) => void {
  return (error, socket) => {
    const response = (socket as BusySocket)._httpMessage;
    const isBusy = response != null && (response.headersSent || response.req.complete);
    if (isBusy || error.code === 'ECONNRESET' || socket.destroyed) {
      socket.destroy();
      return;
    }
    answerOnSocket(socket, transportAnswer(answers, error.code), newUuid());
  };
}
