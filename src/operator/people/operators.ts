import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer, noContent } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import {
  emailField,
  merchantsField,
  nameField,
  operatorJson,
  operatorPath,
  operatorShape,
  roleField,
} from './operator-shape.ts';

type PeopleDeps = Pick<OperatorDeps, 'people'>;

const needs = { role: 'administrator', reach: 'all' } as const;

const newBody = Type.Object(
  {
    name: nameField,
    email: Type.Optional(emailField),
    role: roleField,
    merchants: Type.Optional(merchantsField),
  },
  {
    additionalProperties: false,
    examples: [{ name: 'K. Ito', email: 'k.ito@example.com', role: 'disputes' }],
  },
);

const changeBody = Type.Object(
  {
    name: Type.Optional(nameField),
    role: Type.Optional(roleField),
    merchants: Type.Optional(
      Type.Union([merchantsField, Type.Literal('all')], {
        description: '`all`: no limit any more.',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ role: 'operator' }] },
);

/** GET /api/operators */
export const listOperators = defineEndpoint({
  method: 'GET',
  path: '/api/operators',
  needs,
  docs: {
    id: 'listOperators',
    tag: 'Operators',
    summary: 'List operators',
    description: 'Those who were removed come last.',
  },
  answers: {
    200: Type.Object({ items: Type.Array(operatorShape) }, { description: 'All of them.' }),
    ...refusals(),
  },
  async answer(_asked, { people }: PeopleDeps) {
    return contentAnswer({ items: (await people.list()).map(operatorJson) });
  },
});

/** POST /api/operators */
export const addOperator = defineEndpoint({
  method: 'POST',
  path: '/api/operators',
  needs,
  docs: {
    id: 'addOperator',
    tag: 'Operators',
    summary: 'Add an operator',
    description: 'They sign in with a token that is issued to them.',
  },
  schema: { body: newBody },
  answers: { 201: operatorShape, ...refusals(400, 404, 409) },
  async answer({ body }, { people }: PeopleDeps) {
    return contentAnswer(operatorJson(await people.add(body)), 201);
  },
});

/** PATCH /api/operators/{id} */
export const changeOperator = defineEndpoint({
  method: 'PATCH',
  path: '/api/operators/{id}',
  needs,
  docs: {
    id: 'changeOperator',
    tag: 'Operators',
    summary: 'Change what an operator may do',
    description:
      'Their sessions of the dashboard end with it; their tokens hold what they may do now.',
  },
  schema: { path: operatorPath, body: changeBody },
  answers: { 200: operatorShape, ...refusals(400, 404) },
  async answer({ path, body }, { people }: PeopleDeps) {
    return contentAnswer(operatorJson(there(await people.change(path.id, present(body)))));
  },
});

/** DELETE /api/operators/{id} */
export const removeOperator = defineEndpoint({
  method: 'DELETE',
  path: '/api/operators/{id}',
  needs,
  docs: {
    id: 'removeOperator',
    tag: 'Operators',
    summary: 'Remove an operator',
    description: 'Their sessions and tokens end at once, and their address is forgotten.',
  },
  schema: { path: operatorPath },
  answers: { 204: Type.Null({ description: 'They are removed.' }), ...refusals(404) },
  async answer({ path }, { people }: PeopleDeps) {
    if (!(await people.remove(path.id))) throw noOperator();
    return noContent;
  },
});

function there<View>(view: View | undefined): View {
  if (view === undefined) throw noOperator();
  return view;
}

export function noOperator(): AppError {
  return new AppError('not_found', 'There is no operator with this id.');
}
