import { type Static, Type } from 'typebox';
import { mayActAs } from '../../domain/access/operators.ts';
import { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { shapedField } from '../../http/fields.ts';
import { contentAnswer, noContent } from '../../http/server/answer.ts';
import { ownerOf, type SavedView } from '../../recovery/people/saved-views.ts';
import type { OperatorContext } from '../operator-deps.ts';
import type { OperatorCaller } from '../session/authorize.ts';
import { mustSee } from '../session/permit.ts';
import { messageField, ourIdField, refusals } from '../shapes.ts';

type ViewsContext = Pick<OperatorContext, 'views' | 'caller'>;

/** Everybody has views of their own; whoever shares one changes what others see. */
const needs = { role: 'viewer', reach: 'nobody' } as const;

const nameField = messageField('What it is called; one of yours of the same name is replaced.', 60);
const pathField = shapedField(
  'An address of the dashboard after its host, with its filters.',
  "^/(?!/|api/)(?!.*(@|%40))[A-Za-z0-9/_.~%-]{0,500}([?][A-Za-z0-9/_.~%&=+:,;!*'()-]{0,499})?$",
  'an address of the dashboard, such as /payments?status=exhausted, without an e-mail address',
);

const viewShape = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    path: Type.String(),
    is_shared: Type.Boolean({ description: 'Other operators see it too.' }),
    is_own: Type.Boolean({ description: 'You saved it.' }),
  },
  {
    title: 'SavedView',
    description: 'A view of the dashboard.',
    examples: [
      {
        id: 'svw_6m1c8n4t6r0b2k5h2j7q0x9w',
        name: 'Exhausted this week',
        path: '/payments?status=exhausted&range=7d',
        is_shared: false,
        is_own: true,
      },
    ],
  },
);

const newBody = Type.Object(
  {
    name: nameField,
    path: pathField,
    is_shared: Type.Optional(
      Type.Boolean({ description: 'Default: false. Needs the role operator.' }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ name: 'Exhausted this week', path: '/payments?status=exhausted&range=7d' }],
  },
);

/** GET /api/saved-views */
export const listSavedViews = defineEndpoint({
  method: 'GET',
  path: '/api/saved-views',
  needs,
  docs: {
    id: 'listSavedViews',
    tag: 'Saved views',
    summary: 'List saved views',
    description:
      'Yours and shared ones, by name. Operators of some merchants see the shared ones that are about one of theirs.',
  },
  answers: {
    200: Type.Object({ items: Type.Array(viewShape) }, { description: 'At most 500.' }),
    ...refusals(),
  },
  async answer(_asked, { views, caller }: ViewsContext) {
    const items = await views.list(caller);
    return contentAnswer({ items: items.map((view) => viewJson(view, caller)) });
  },
});

/** POST /api/saved-views */
export const saveView = defineEndpoint({
  method: 'POST',
  path: '/api/saved-views',
  needs,
  docs: {
    id: 'saveView',
    tag: 'Saved views',
    summary: 'Save a view',
    description: 'Fifty of each operator at most.',
  },
  schema: { body: newBody },
  answers: { 201: viewShape, ...refusals(400, 404, 409) },
  async answer({ body }, { views, caller }: ViewsContext) {
    const { name, path, is_shared: isShared = false } = body;
    if (isShared && !mayActAs(caller.role, 'operator')) {
      throw new AppError('operator_forbidden', 'To share a view is for the role operator.');
    }
    const merchantId = new URLSearchParams(path.split('?')[1]).get('merchant') ?? undefined;
    // A shared one is shown to the operators of the merchant that it names.
    if (merchantId !== undefined) mustSee(caller, merchantId);
    const saved = await views.save(caller, { name, path, isShared, ...present({ merchantId }) });
    return contentAnswer(viewJson(saved, caller), 201);
  },
});

/** DELETE /api/saved-views/{id} */
export const removeSavedView = defineEndpoint({
  method: 'DELETE',
  path: '/api/saved-views/{id}',
  needs,
  docs: {
    id: 'removeSavedView',
    tag: 'Saved views',
    summary: 'Remove a saved view',
    description: 'Your own; administrators of all merchants also remove shared ones.',
  },
  schema: { path: Type.Object({ id: ourIdField("The view's id.") }) },
  answers: { 204: Type.Null({ description: 'It is removed.' }), ...refusals(404) },
  async answer({ path }, { views, caller }: ViewsContext) {
    if (await views.remove(caller, path.id)) return noContent;
    throw new AppError('not_found', 'You have no view with this id.');
  },
});

function viewJson(view: SavedView, caller: OperatorCaller): Static<typeof viewShape> {
  const { viewId: id, name, path, isShared: is_shared, ownerId } = view;
  return { id, name, path, is_shared, is_own: ownerId === ownerOf(caller) };
}
