import { Type } from 'typebox';
import type { OperationAnswer } from './operation.ts';

/** The docs of an answer that is a message alone, such as a 404 of a resource. */
export function messageDocs(description: string, message: string): OperationAnswer {
  return { description, schema: Type.Object({ message: Type.String() }), example: { message } };
}

/** The docs of an answer that is a message and a sentence of what is wrong. */
export function refusalDocs(description: string, message: string, errors: string): OperationAnswer {
  return {
    description,
    schema: Type.Object({ message: Type.String(), errors: Type.String() }),
    example: { message, errors },
  };
}
