import { Type } from 'typebox';
import type { DisputesOperationAnswer } from './operation.ts';

/** The docs of an answer that is a `detail` alone. */
export function detailDocs(description: string, detail: string): DisputesOperationAnswer {
  return {
    description,
    schema: Type.Object({ detail: Type.String() }),
    example: { detail },
  };
}
