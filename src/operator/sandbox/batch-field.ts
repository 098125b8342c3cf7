import { ourIdField } from '../shapes.ts';

export const batchField = ourIdField('The batch, as its submission answered it.');
