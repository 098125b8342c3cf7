import type { OpenSpan, SpanAttributes, SpanOf } from '../../src/app/tracing/tracing.ts';

export interface KeptSpan extends SpanOf {
  readonly noted: SpanAttributes;
  readonly failure?: string;
  readonly ends: number;
}

/** Tracing that keeps what it is told. */
export function keepSpans() {
  const spans: KeptSpan[] = [];
  let running: string | undefined;
  const open = (of: SpanOf): OpenSpan => {
    const index = spans.push({ ...of, noted: {}, ends: 0 }) - 1;
    const change = (more: (span: KeptSpan) => Partial<KeptSpan>) => {
      const span = spans[index];
      if (span !== undefined) spans[index] = { ...span, ...more(span) };
    };
    return {
      note: (attributes) => change(({ noted }) => ({ noted: { ...noted, ...attributes } })),
      fail: (failure) => change(() => ({ failure })),
      within(work) {
        running = of.name;
        return work();
      },
      end: () => change(({ ends }) => ({ ends: ends + 1 })),
    };
  };
  return {
    spans,
    running: () => running,
    open,
    async span<Result>(of: SpanOf, work: (span: OpenSpan) => Promise<Result>): Promise<Result> {
      const span = open(of);
      try {
        return await work(span);
      } finally {
        span.end();
      }
    },
  };
}
