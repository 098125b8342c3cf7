import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import type { ProbeDeps } from '../operator-deps.ts';

/** The version of Prometheus' text format that the numbers are written in. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8';

const example = '# TYPE recoup_attempts_total counter\nrecoup_attempts_total 1\n';

/** Everything measured. Its labels hold no id and no personal data, so it needs no token. */
export const metrics = defineEndpoint({
  method: 'GET',
  path: '/metrics',
  isProbe: true,
  docs: {
    id: 'metrics',
    tag: 'Service',
    summary: 'Numbers for Prometheus',
    description: 'Needs no token. The labels hold no ids and no personal data.',
  },
  answers: {
    200: {
      description: "Prometheus' text format.",
      mediaType: 'text/plain',
      schema: { type: 'string', examples: [example] },
      example,
    },
  },
  async answer(_asked, deps: ProbeDeps) {
    return {
      status: 200,
      body: await deps.metrics(),
      headers: { 'content-type': contentType },
    };
  },
});
