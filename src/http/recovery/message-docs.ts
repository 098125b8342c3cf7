import { Type } from 'typebox';
import type { DescribedAnswer } from '../endpoint/define-endpoint.ts';

/** The docs of an answer that is a message alone, such as a 404 of a resource. */
export function messageDocs(description: string, message: string): DescribedAnswer {
  return { description, schema: Type.Object({ message: Type.String() }), example: { message } };
}

/** The docs of an answer that is a message and a sentence of what is wrong. */
export function refusalDocs(description: string, message: string, errors: string): DescribedAnswer {
  return {
    description,
    schema: Type.Object({ message: Type.String(), errors: Type.String() }),
    example: { message, errors },
  };
}
