import type { IdGenerator } from '@opentelemetry/sdk-trace';
import type { Random } from '../../domain/random.ts';

/** Ids of traces and spans. */
export interface TraceIds extends IdGenerator {
  /** What `begin` starts, at once and as the first of its trace, stands in this trace. */
  inTrace<Result>(traceId: string, begin: () => Result): Result;
}

const traceBytes = 16;
const spanBytes = 8;

export function createTraceIds(random: Random): TraceIds {
  let given: string | undefined;
  const drawn = (bytes: number) => Buffer.from(random.bytes(bytes)).toString('hex');
  return {
    generateTraceId: () => given ?? drawn(traceBytes),
    generateSpanId: () => drawn(spanBytes),
    inTrace(traceId, begin) {
      given = traceId;
      try {
        return begin();
      } finally {
        given = undefined;
      }
    },
  };
}
