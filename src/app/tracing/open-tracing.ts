import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Random } from '../../domain/random.ts';
import { release } from '../../domain/release.ts';
import { logFailures } from './log-failures.ts';
import { recoveryTraceId } from './recovery-trace-id.ts';
import { createTraceIds, type TraceIds } from './trace-ids.ts';
import type { OpenSpan, RecoveryName, SpanOf, Tracing } from './tracing.ts';

export interface TracingSettings {
  /** The collector's base address; `/v1/traces` is added. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Which share of the traces is sent, from 0 to 1. */
  readonly ratio: number;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** How long a collector has for a batch; the end of the process waits for the last ones. */
const exportTimeoutMillis = 5_000;
/** A name or a code: what else is given as a cause may quote a person. */
const plainCause = /^[\w .-]{1,100}$/;

/**
 * Spans over OTLP (HTTP, JSON) by OpenTelemetry's own library. Nothing global is set: two services in one
 * process keep theirs apart. Whether a trace is sent hangs on its id alone, so that all processes decide
 * alike.
 */
export function openTracing(
  deps: {
    readonly random: Random;
    readonly log: { warn(fields: object, text: string): void };
  },
  settings: TracingSettings,
): Tracing {
  const ids = createTraceIds(deps.random);
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    headers: { ...settings.headers },
    timeoutMillis: exportTimeoutMillis,
  });
  const provider = new TracerProvider({
    idGenerator: ids,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.ratio) }),
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.version': release,
    }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: logFailures(deps.log, exporter), exportTimeoutMillis }),
    ],
  });
  const manager = new AsyncLocalStorageContextManager().enable();
  const opener = { ids, manager, tracer: provider.getTracer('recoup', release) };
  return {
    async span(of, work) {
      const span = openSpan(opener, of);
      try {
        return await span.within(() => work(span));
      } catch (error) {
        span.fail(error instanceof Error ? error.name : 'failed');
        throw error;
      } finally {
        span.end();
      }
    },
    open: (of) => openSpan(opener, of),
    headers() {
      const running = trace.getSpanContext(manager.active());
      if (running === undefined) return {};
      const flags = running.traceFlags.toString(16).padStart(2, '0');
      return { traceparent: `00-${running.traceId}-${running.spanId}-${flags}` };
    },
    async close() {
      await provider.shutdown().catch(() => undefined);
      manager.disable();
    },
  };
}

interface Opener {
  readonly ids: TraceIds;
  readonly manager: AsyncLocalStorageContextManager;
  readonly tracer: Tracer;
}

function openSpan(
  opener: Opener,
  of: SpanOf & { readonly traceparent?: string | undefined },
): OpenSpan {
  const parent = parentOf(opener, of.traceparent);
  const { span, context } =
    of.recovery === undefined
      ? begin(opener, of, parent)
      : beginInRecovery(opener, { ...of, recovery: of.recovery }, parent);
  return {
    note: (attributes) => void span.setAttributes(attributes),
    fail(reason) {
      const message = plainCause.test(reason) ? reason : 'failed';
      span.setStatus({ code: SpanStatusCode.ERROR, message });
    },
    within: (work) => opener.manager.with(context, work),
    end: () => span.end(),
  };
}

function parentOf({ manager }: Opener, traceparent: string | undefined): Context {
  const caller = traceparent === undefined ? null : parseTraceParent(traceparent);
  return caller === null
    ? manager.active()
    : trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true });
}

function begin({ tracer }: Opener, of: SpanOf, parent: Context) {
  const { name, kind = 'internal', attributes = {} } = of;
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent);
  return { span, context: trace.setSpan(parent, span) };
}

/** A recovery's trace has many first spans: no process knows the one that began it. */
function beginInRecovery(
  opener: Opener,
  of: SpanOf & { readonly recovery: RecoveryName },
  parent: Context,
): { readonly span: Span; readonly context: Context } {
  const traceId = recoveryTraceId(of.recovery);
  const { merchantId, invoiceId } = of.recovery;
  const attributes = {
    ...of.attributes,
    'recoup.merchant_id': merchantId,
    'recoup.invoice_id': invoiceId,
  };
  const running = trace.getSpanContext(parent);
  if (running?.traceId === traceId) return begin(opener, { ...of, attributes }, parent);
  const span = opener.ids.inTrace(traceId, () =>
    opener.tracer.startSpan(
      of.name,
      {
        root: true,
        kind: kinds[of.kind ?? 'internal'],
        attributes,
        links: running === undefined ? [] : [{ context: running }],
      },
      parent,
    ),
  );
  return { span, context: trace.setSpan(parent, span) };
}
