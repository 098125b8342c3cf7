import { bodyNotAnObject } from '../../domain/analytics/validation-item.ts';
import { isRead } from '../bounds/work-in-lane.ts';
import { hasBody, type Stage } from '../endpoint/exchange.ts';
import { fileMediaType, isFileType } from '../endpoint/file-body.ts';
import type { DisputesCaller } from './caller.ts';
import { validationAnswer } from './validation-answer.ts';

/** Longest header that is looked at. */
const headerLength = 255;
const json = /^application\/(?:[^;\s]+\+)?json[ \t]*(?:;|$)/i;
const jsonLines = /^application\/(?:x-ndjson|ndjson|jsonl|json)[ \t]*(?:;|$)/i;

/** Lines of JSON, each by itself. */
export const ndjson = 'application/x-ndjson';

const notAFile = validationAnswer([
  {
    loc: ['header', 'content-type'],
    msg: 'Input should be application/pdf, image/png, image/jpeg or application/octet-stream',
    type: 'value_error',
  },
]);

export function isJsonType(contentType: string | undefined): boolean {
  return isOf(json, contentType);
}

/**
 * The stage that refuses a body that is not said to be JSON, as FastAPI does: 422, and no 415. A page of another
 * site can have a browser send text and forms, but no JSON without asking first. The body of a read is never looked at.
 */
export const requireJson: Stage<DisputesCaller> = async (exchange, next) => {
  const { mediaType } = exchange.endpoint.body ?? {};
  if (mediaType === fileMediaType) return isFileType(exchange.contentType) ? next() : notAFile;
  const type = mediaType === ndjson ? jsonLines : json;
  const isUnread = isRead(exchange.request) || !hasBody(exchange);
  const isTaken = isUnread || isOf(type, exchange.contentType);
  return isTaken ? next() : validationAnswer([bodyNotAnObject]);
};

function isOf(type: RegExp, contentType: string | undefined): boolean {
  return contentType !== undefined && contentType.length <= headerLength && type.test(contentType);
}
