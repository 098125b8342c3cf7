import { AppError } from '../../domain/errors.ts';
import type { Fault } from '../../domain/json/fault.ts';
import { readStrictJson } from '../../domain/json/strict-json.ts';
import type { Answer } from '../server/answer.ts';
import type { RawBody } from '../server/read-body.ts';
import { faultItem } from './disputes/fault-item.ts';
import { validationAnswer } from './validation-answer.ts';

/**
 * A body that satisfies a schema, or the refusal of it. `whenEmpty` stands for no body at all.
 *
 * @throws AppError payload_too_large
 */
export function readJsonBody<Body>(
  raw: RawBody | undefined,
  check: (value: unknown) => readonly Fault[],
  whenEmpty?: Body,
): { readonly body: Body } | { readonly refusal: Answer } {
  if (raw?.kind === 'too_large') throw new AppError('payload_too_large');
  const bytes = raw?.kind === 'whole' ? raw.bytes : Buffer.alloc(0);
  if (bytes.length === 0 && whenEmpty !== undefined) return { body: whenEmpty };
  const reading = readStrictJson(bytes);
  const faults = reading.kind === 'value' ? check(reading.value) : reading.faults;
  if (reading.kind !== 'value' || faults.length > 0) {
    return { refusal: validationAnswer(faults.map((fault) => faultItem('body', fault))) };
  }
  return { body: reading.value as Body };
}
