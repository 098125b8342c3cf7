import { useMerchants } from '../../api/merchants.ts';
import { type ModelsJson, useModels } from '../../api/policies.ts';
import { ExportButton } from '../../parts/export-button.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useViewState } from '../../state/view-state.ts';
import { PolicyHead } from './policy-head.tsx';
import { ScopeModels } from './scope-models.tsx';

/** The versions of each model: of a merchant, and of all that have none of their own. */
export function Models() {
  const { merchantId } = useViewState();
  const query = useModels();
  const merchants = useMerchants().data ?? [];
  const nameOf = (id: string) => merchants.find((merchant) => merchant.id === id)?.name ?? id;
  return (
    <>
      <PolicyHead
        path="/policy/models"
        title="Models"
        actions={<ExportButton list="/api/models" filters={{}} />}
      />
      <QueryView query={query} what="the models" rows={8}>
        {(all) => (
          <>
            {scopesOf(all, merchantId).map((scope) => (
              <ScopeModels
                key={scope ?? ''}
                merchantId={scope}
                name={scope === undefined ? 'All merchants' : nameOf(scope)}
                models={all.models.filter((model) => model.merchant_id === scope)}
                training={all.trainings.find((each) => each.merchant_id === scope)}
              />
            ))}
            {merchantId === undefined && (
              <p className="muted">
                Choose a merchant above to train a model of its own, from its own tries only.
              </p>
            )}
          </>
        )}
      </QueryView>
    </>
  );
}

/** The chosen merchant first, then all merchants' one, which plans where it has none of its own. */
function scopesOf(
  { models, trainings }: ModelsJson,
  merchantId: string | undefined,
): readonly (string | undefined)[] {
  if (merchantId !== undefined) return [merchantId, undefined];
  const named = [...models, ...trainings].flatMap(({ merchant_id: id }) => id ?? []);
  return [undefined, ...new Set(named)];
}
