import type { PspDeclines } from './psp-decline-rows.ts';

export const braintreeDeclines: PspDeclines = { source: '', codes: {} };
