import type { TSchema } from 'typebox';

/** What the API reference says of one endpoint. Answers that all share are added to it. */
export interface DisputesOperation {
  readonly operationId: string;
  readonly tag: 'Analytics' | 'Customers' | 'Disputes' | 'Service';
  readonly summary: string;
  readonly description: string;
  readonly path?: TSchema;
  readonly query?: TSchema;
  readonly body?: {
    readonly mediaType: string;
    readonly schema: TSchema;
    readonly example: unknown;
  };
  readonly answers: Readonly<Record<number, DisputesOperationAnswer>>;
}

export interface DisputesOperationAnswer {
  readonly description: string;
  /** Default: application/json. */
  readonly mediaType?: string;
  readonly schema: TSchema;
  readonly example: unknown;
}
