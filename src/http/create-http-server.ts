import { type FastifyInstance, fastify } from 'fastify';
import { minuteMs, secondMs } from '../domain/clock.ts';
import { type Answer, sendAnswer } from './answer.ts';
import { answerOnSocket, answerToClientError } from './client-error.ts';
import { requestIdOf } from './request-id.ts';

/** The answers to what never reaches an endpoint, in the words of one API. */
export interface TransportAnswers {
  /** No such method and path, whatever either looks like. */
  readonly notFound: Answer;
  /** Bytes that are no HTTP request. */
  readonly malformed: Answer;
  readonly headersTooLarge: Answer;
  /** The request did not arrive in time. */
  readonly tooSlow: Answer;
}
