/** How a PSP takes evidence that has no fields for it. */
export const documentAlone = {
  form: 'document',
  why: 'This PSP takes no fields: give it the PDF.',
} as const;
