import { Type } from 'typebox';
import { mayActAs } from '../../domain/access/operators.ts';
import { dayMs } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer, noContent } from '../../http/server/answer.ts';
import type { OperatorContext } from '../operator-deps.ts';
import type { OperatorCaller } from '../session/authorize.ts';
import { ourIdField, refusals } from '../shapes.ts';
import {
  issuedTokenJson,
  issuedTokenShape,
  operatorPath,
  tokenJson,
  tokenShape,
} from './operator-shape.ts';
import { noOperator } from './operators.ts';

type PeopleContext = Pick<OperatorContext, 'people' | 'caller'>;

/** Everybody has tokens of their own; those of others are for administrators of all merchants. */
const needs = { role: 'viewer', reach: 'nobody' } as const;
const defaultDays = 90;
const maxDays = 365;

const issueBody = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxDays,
        default: defaultDays,
        description: 'How long it is valid.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ days: 30 }] },
);

/** GET /api/operators/{id}/tokens */
export const listTokens = defineEndpoint({
  method: 'GET',
  path: '/api/operators/{id}/tokens',
  needs,
  docs: {
    id: 'listOperatorTokens',
    tag: 'Operators',
    summary: "List an operator's tokens",
    description: 'The newest first. Their own, or as an administrator.',
  },
  schema: { path: operatorPath },
  answers: {
    200: Type.Object({ items: Type.Array(tokenShape) }, { description: 'The last 200.' }),
    ...refusals(404),
  },
  async answer({ path }, { people, caller }: PeopleContext) {
    allowFor(caller, path.id);
    if ((await people.find(path.id)) === undefined) throw noOperator();
    return contentAnswer({ items: (await people.listTokens(path.id)).map(tokenJson) });
  },
});

/** POST /api/operators/{id}/tokens */
export const issueToken = defineEndpoint({
  method: 'POST',
  path: '/api/operators/{id}/tokens',
  needs,
  docs: {
    id: 'issueOperatorToken',
    tag: 'Operators',
    summary: 'Issue a personal token',
    description: 'For the API, the command line and signing in. It cannot be read again: keep it.',
  },
  schema: { path: operatorPath, body: issueBody },
  body: { isOptional: true },
  answers: { 201: issuedTokenShape, ...refusals(400, 404, 409) },
  async answer({ path, body }, { people, caller }: PeopleContext) {
    allowFor(caller, path.id);
    const issued = await people.issueToken(path.id, (body.days ?? defaultDays) * dayMs);
    if (issued === undefined) throw noOperator();
    return contentAnswer(issuedTokenJson(issued), 201);
  },
});

/** DELETE /api/operators/{id}/tokens/{token_id} */
export const revokeToken = defineEndpoint({
  method: 'DELETE',
  path: '/api/operators/{id}/tokens/{token_id}',
  needs,
  docs: {
    id: 'revokeOperatorToken',
    tag: 'Operators',
    summary: 'Revoke a personal token',
    description: 'At once, in every process, with the sessions of the dashboard that it opened.',
  },
  schema: {
    path: Type.Object({ ...operatorPath.properties, token_id: ourIdField("The token's id.") }),
  },
  answers: { 204: Type.Null({ description: 'It is revoked.' }), ...refusals(404) },
  async answer({ path }, { people, caller }: PeopleContext) {
    allowFor(caller, path.id);
    if (await people.revokeToken(path.id, path.token_id)) return noContent;
    throw new AppError('not_found', 'The operator has no valid token with this id.');
  },
});

function allowFor(caller: OperatorCaller, operatorId: string): void {
  if (caller.operatorId === operatorId) return;
  if (mayActAs(caller.role, 'administrator') && caller.merchants === undefined) return;
  throw new AppError('operator_forbidden', "Tokens of others are an administrator's to see.");
}
