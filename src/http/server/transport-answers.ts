import type { Answer } from './answer.ts';

/** The answers to what never reaches an endpoint, in the words of one API. */
export interface TransportAnswers {
  /** No such method and path, whatever either looks like. */
  readonly notFound: Answer;
  /** Bytes that are no HTTP request. */
  readonly malformed: Answer;
  /** The Host header names somebody else. */
  readonly wrongHost: Answer;
  /** A page of another site has a browser ask, other than to read. */
  readonly crossSite: Answer;
  readonly headersTooLarge: Answer;
  /** The request did not arrive in time. */
  readonly tooSlow: Answer;
  /** More than one sender may have. */
  readonly tooMany: (retryAfterSeconds: number) => Answer;
}

/** Which one answers an error of Node's HTTP parser. */
export function transportAnswer(answers: TransportAnswers, code: string | undefined): Answer {
  switch (code) {
    case 'HPE_INVALID_METHOD':
    case 'HPE_INVALID_URL':
      return answers.notFound;
    case 'HPE_HEADER_OVERFLOW':
      return answers.headersTooLarge;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return answers.tooSlow;
    default:
      return answers.malformed;
  }
}
