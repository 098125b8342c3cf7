import { Type } from 'typebox';
import type { DescribedAnswer } from '../endpoint/define-endpoint.ts';

/** The docs of an answer that is a `detail` alone. */
export function detailDocs(description: string, detail: string): DescribedAnswer {
  return {
    description,
    schema: Type.Object({ detail: Type.String() }),
    example: { detail },
  };
}
