import type { PspDeclines } from './psp-decline-rows.ts';

export const adyenDeclines: PspDeclines = { source: '', codes: {} };
