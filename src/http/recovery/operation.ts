import type { TSchema } from 'typebox';

/** What the API reference says of one endpoint. Answers that all share are added to it. */
export interface Operation {
  readonly operationId: string;
  readonly tag: 'Intake' | 'Payments' | 'Events';
  readonly summary: string;
  readonly description: string;
  /** The path's parameters by name. */
  readonly path?: TSchema;
  readonly query?: TSchema;
  readonly body?: { readonly schema: TSchema; readonly examples: Readonly<Record<string, object>> };
  readonly answers: Readonly<Record<number, OperationAnswer>>;
}

export interface OperationAnswer {
  readonly description: string;
  readonly schema: TSchema;
  readonly example: object;
}
