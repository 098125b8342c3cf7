import { AppError } from '../../domain/errors.ts';
import type { Incident } from '../../recovery/incidents/incident-ports.ts';
import { findIncident } from '../../store/incidents/read-incidents.ts';
import { mustBeHere } from '../merchants/refuse-moved.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { sees } from '../session/permit.ts';

/** The incident of a path, where the caller may see its merchant. @throws AppError not_found */
export async function incidentSeen(
  { db, caller }: Pick<OperatorContext, 'db' | 'caller'>,
  incidentId: string,
): Promise<Incident> {
  const incident = await findIncident(db, { incidentId });
  if (incident !== undefined && sees(caller, incident.merchantId)) return incident;
  throw new AppError('not_found', 'There is no incident with this id.');
}

/** The same of one that is to be resolved. @throws AppError not_found, merchant_moved */
export async function incidentToResolve(
  deps: Pick<OperatorContext, 'db' | 'caller' | 'moveOf'>,
  incidentId: string,
): Promise<Incident> {
  const incident = await incidentSeen(deps, incidentId);
  await mustBeHere(deps, incident.merchantId);
  return incident;
}
