/** What an operator may do; each role may do all that those before it may. */
export const operatorRoles = ['viewer', 'disputes', 'operator', 'administrator'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/**
 * Whose data an endpoint of the operator's API is about, for operators who may see some merchants
 * alone. `nobody`: no merchant's. `path`: the merchant's that the path names. `query`: the merchant's that
 * the query names. `queried`: of the merchant that the query names, or of all that the caller may see.
 * `own`: the endpoint itself asks whose it is. `all`: everybody's, so that it is for operators of all
 * merchants.
 */
export type Reach = 'nobody' | 'path' | 'query' | 'queried' | 'own' | 'all';

/** What a caller of one endpoint has to be. */
export interface Needs {
  readonly role: OperatorRole;
  readonly reach: Reach;
}

/** Whether a role may do what another one is needed for: roles rise in the order of `operatorRoles`. */
export function mayActAs(role: OperatorRole, needed: OperatorRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(needed);
}
