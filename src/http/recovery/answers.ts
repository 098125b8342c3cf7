import { errorRegistry } from '../../domain/errors.ts';
import type { Fault } from '../../domain/json/fault.ts';
import { limits } from '../../domain/limits.ts';
import type { KeyAnswers } from '../idempotency/run-once.ts';
import { type Answer, jsonAnswer } from '../server/answer.ts';
import type { TransportAnswers } from '../server/transport-answers.ts';

/** Faults that one answer lists at most; a correct request of full length has no room for more. */
const maxFaults = 500;

/** 400: everything wrong with the request, each fault an object of its location and a text. */
export function invalidRequest(faults: readonly Fault[]): Answer {
  return jsonAnswer(400, {
    message: 'Invalid request body',
    errors: faults.slice(0, maxFaults).map(({ at, text }) => ({ [at]: text })),
  });
}

/** 404 of a resource, such as `Payment`. */
export function notFound(resource: string): Answer {
  return jsonAnswer(404, { message: `${resource} not found.` });
}

/** 409: the present state of things forbids it, for the reason given as a sentence. */
export function conflict(because: string): Answer {
  return jsonAnswer(409, { message: 'Conflict', errors: because });
}

export const pathNotFound = jsonAnswer(404, { message: 'Method/Path combination not found.' });

export const forbidden = jsonAnswer(403, { message: 'Forbidden', errors: 'Invalid API Key' });

/** 403: the key is valid, and not for this. */
export function scopeMissing(because: string): Answer {
  return jsonAnswer(403, { message: 'Forbidden', errors: because });
}

export const unsupportedMediaType = jsonAnswer(415, {
  message: 'Unsupported Media Type',
  errors: 'Content-Type must be application/json',
});

export const serverError = jsonAnswer(500, {
  message: 'Internal Server Error',
  errors: 'Something went wrong on our side. Please try again later.',
});

export const bodyTooLarge = `Body should have at most ${limits.requestBodyBytes} bytes`;

/** 503: the same request may come again. */
function unavailable(reason: string): Answer {
  return {
    ...jsonAnswer(503, {
      message: 'Service Unavailable',
      errors: `${reason} Try again in 1 s.`,
    }),
    headers: { 'retry-after': '1' },
  };
}

/** More is under way than can be taken, and nothing is broken. */
export const serviceBusy = unavailable('The service is busy.');

/** The database takes no writes, or no connection more. */
export const writesRefused = unavailable('The service cannot work just now.');

/** A database that is away is a fault on our side that ends by itself. */
export const serverErrorForNow: Answer = { ...serverError, headers: { 'retry-after': '1' } };

/** 429 until the merchant's window ends. */
export function tooManyRequests(retryAfterSeconds: number): Answer {
  return {
    ...jsonAnswer(429, {
      message: 'Too Many Requests',
      errors: `Too many requests. Try again in ${retryAfterSeconds} s.`,
    }),
    headers: { 'retry-after': retryAfterSeconds.toString() },
  };
}

export const keyAnswers: KeyAnswers = {
  mismatch: jsonAnswer(422, {
    message: 'Unprocessable Content',
    errors: 'This Idempotency-Key was used for another request. Use a new key for a new request.',
  }),
  inFlight: {
    ...conflict('A request with this Idempotency-Key is still being processed.'),
    headers: { 'retry-after': '1' },
  },
};

export const transportAnswers: TransportAnswers = {
  notFound: pathNotFound,
  malformed: invalidRequest([{ at: 'request', text: 'Input should be a valid HTTP request' }]),
  crossSite: jsonAnswer(403, {
    message: 'Forbidden',
    errors: errorRegistry.cross_site_refused.what,
  }),
  wrongHost: jsonAnswer(421, {
    message: 'Misdirected Request',
    errors: errorRegistry.host_refused.what,
  }),
  headersTooLarge: jsonAnswer(431, {
    message: 'Request Header Fields Too Large',
    errors: 'The request line and the headers may have 16 KiB together.',
  }),
  tooSlow: jsonAnswer(408, {
    message: 'Request Timeout',
    errors: 'The request did not arrive in time.',
  }),
  tooMany: tooManyRequests,
};
