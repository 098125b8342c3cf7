import type { ValidationItem } from '../../../domain/analytics/validation-item.ts';
import { type Fault, fieldRequired, wholeBody } from '../../../domain/json/fault.ts';

/** A fault of a schema, as this listener's answers name it. */
export function faultItem(place: 'body' | 'query', { at, text }: Fault): ValidationItem {
  const path = at === wholeBody ? [] : at.split('.');
  const type = text === fieldRequired ? 'missing' : 'value_error';
  return { loc: [place, ...path], msg: text, type };
}
