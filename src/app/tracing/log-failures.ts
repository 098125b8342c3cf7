import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** An exporter that says when the collector does not take spans. They are lost then: no work waits for them. */
export function logFailures(
  log: { warn(fields: object, text: string): void },
  exporter: SpanExporter,
): SpanExporter {
  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.FAILED) {
          const cause = result.error?.name ?? 'unknown';
          log.warn({ spans: spans.length, cause }, 'traces: the collector did not take them');
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush !== undefined && { forceFlush: () => exporter.forceFlush?.() }),
  } as SpanExporter;
}
