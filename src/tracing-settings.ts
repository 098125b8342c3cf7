import { optional, withDefault } from './setting.ts';
import { httpUrl, line, pairs, share } from './setting-values.ts';

/** Traces, by the names that OpenTelemetry gives its settings. */
export const tracingSettings = {
  tracesEndpoint: optional(httpUrl, {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    group: 'Logs',
    defaultText: 'nothing is traced',
    meaning:
      'Where OpenTelemetry traces are sent by OTLP over HTTP, in JSON; `/v1/traces` is added. Each recovery is one trace, from its report to its webhook.',
  }),
  tracesHeaders: optional(pairs, {
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    group: 'Logs',
    secret: true,
    defaultText: 'none',
    meaning: 'Headers for the collector, such as its key.',
  }),
  tracesServiceName: withDefault(line, {
    env: 'OTEL_SERVICE_NAME',
    group: 'Logs',
    default: 'recoup',
    meaning: '`service.name` of the traces.',
  }),
  tracesRatio: withDefault(share, {
    env: 'OTEL_TRACES_SAMPLER_ARG',
    group: 'Logs',
    default: '1',
    meaning:
      'The share of traces that is sent. It is decided per trace, so a recovery is sent completely or not at all.',
  }),
};
