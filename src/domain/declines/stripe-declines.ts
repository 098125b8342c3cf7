import type { PspDeclines } from './psp-decline-rows.ts';

export const stripeDeclines: PspDeclines = { source: '', codes: {} };
