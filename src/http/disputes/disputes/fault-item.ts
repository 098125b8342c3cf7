import type { ValidationItem } from '../../../domain/analytics/validation-item.ts';
import { type Fault, fieldRequired, wholeBody } from '../../../domain/json/fault.ts';
import type { Place } from '../../endpoint/compile-parts.ts';

/** A fault of a schema, as this listener's answers name it. */
export function faultItem(place: Place, { at, text, code }: Fault): ValidationItem {
  const path = at === wholeBody ? [] : at.split('.');
  const type = text === fieldRequired ? 'missing' : (code ?? 'value_error');
  return { loc: [place, ...path], msg: text, type };
}
