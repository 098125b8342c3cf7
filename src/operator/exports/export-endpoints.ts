import { operatorEndpoints } from '../endpoints.ts';
import { exportOf } from './export-of.ts';
import { listsOf } from './exported-lists.ts';

/** Each list of the operator's API can be taken away as a file. */
export const exportEndpoints = operatorEndpoints.flatMap(listsOf).map(exportOf);
