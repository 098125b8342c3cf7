/**
 * One thing wrong with a request, as FastAPI's validation errors name it: where, in words, and its
 * type. What was sent is never part of it: it is personal data.
 */
export interface ValidationItem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** An item about one field of the body. */
export function fieldItem(field: string, type: string, msg: string): ValidationItem {
  return { loc: ['body', field], msg, type };
}

/** An item about the body as a whole. */
export function bodyItem(type: string, msg: string): ValidationItem {
  return { loc: ['body'], msg, type };
}

/** The body is no JSON. */
export const bodyNotJson = bodyItem('json_invalid', 'JSON decode error');

/** There is no body, or it is null. */
export const bodyMissing = bodyItem('missing', 'Field required');

/** The body is something else than an object, or is not said to be JSON. */
export const bodyNotAnObject = bodyItem(
  'model_attributes_type',
  'Input should be a valid dictionary or object to extract fields from',
);
