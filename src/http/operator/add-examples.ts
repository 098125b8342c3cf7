import { AppError, type ErrorCode } from '../../domain/errors.ts';
import { fieldRequired } from '../../domain/json/fault.ts';
import { errorAnswer } from './error-answer.ts';
import { type ExampleSchema, exampleOf } from './example-of.ts';
import { InvalidRequest } from './invalid-request.ts';

interface Media {
  readonly schema?: ExampleSchema & { readonly $ref?: string };
  readonly example?: unknown;
  readonly examples?: unknown;
}

/** Each refusal's error, for the example of its status; what a route throws is answered likewise. */
const refusals: Readonly<Record<number, ErrorCode>> = {
  401: 'operator_unauthorized',
  404: 'not_found',
  409: 'conflict',
  422: 'psp_credentials_refused',
  500: 'internal_error',
  503: 'database_unreachable',
};

/** The answers of one operation, each with an example where its schema or its status has one. */
export function withExamples(responses: object): object {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { content } = response as { readonly content?: Readonly<Record<string, Media>> };
      if (content === undefined) return [status, response];
      const media = Object.entries(content).map(([type, each]) => [
        type,
        withExample(Number(status), each),
      ]);
      return [status, { ...response, content: Object.fromEntries(media) }];
    }),
  );
}

function withExample(status: number, media: Media): Media {
  if (media.example !== undefined || media.examples !== undefined) return media;
  const isRefusal = media.schema?.$ref !== undefined;
  const example = isRefusal ? refusalExample(status) : exampleOf(media.schema ?? {});
  return example === undefined ? media : { ...media, example };
}

function refusalExample(status: number): unknown {
  const code = refusals[status];
  const error =
    code === undefined
      ? new InvalidRequest([{ at: 'cursor', text: fieldRequired }])
      : new AppError(code);
  return JSON.parse(errorAnswer(error).body);
}
