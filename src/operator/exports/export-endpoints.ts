import { operatorEndpoints } from '../endpoints.ts';
import { exportOf, isList } from './export-of.ts';

/** Each list of the operator's API can be taken away as a file. */
export const exportEndpoints = operatorEndpoints.filter(isList).map(exportOf);
