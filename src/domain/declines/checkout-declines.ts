import type { PspDeclines } from './psp-decline-rows.ts';

export const checkoutDeclines: PspDeclines = { source: '', codes: {} };
