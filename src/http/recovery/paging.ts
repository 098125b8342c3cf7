import { Type } from 'typebox';
import { limits } from '../../domain/limits.ts';

/** Longest cursor that is read; ours have below 600 characters, an id of 255 included. */
const cursorLength = 2048;

export function cursorField(description: string) {
  return Type.Optional(Type.String({ description, minLength: 1, maxLength: cursorLength }));
}

export const limitField = Type.Optional(
  Type.Integer({
    description: 'Items on a page.',
    minimum: 1,
    maximum: limits.maxPageSize,
    default: limits.pageDefault,
  }),
);

export const nextCursorField = Type.Optional(
  Type.String({ description: 'Where the next page begins. Absent on the last one.' }),
);

export function pageSize(limit: number | undefined): number {
  return limit ?? limits.pageDefault;
}
