import type pg from 'pg';

/**
 * `kept`: statements run by the plan that fits any values. PostgreSQL plans a statement of many branches
 * anew for each execution, since values that are absent make plans cheaper; where each branch has its
 * index, that planning takes longer than the statement. It plans anew, too, while the tables grow: the
 * first plans were of smaller ones, and so look cheaper for good.
 *
 * `anew`: planned with the values at hand, each time. A report of all merchants and all times reads its table
 * from end to end; the plan that fits any values, which the server would choose from the sixth time on, takes
 * it for few rows and goes by an index, in twice to three times the time.
 *
 * `alike`: planned alike whatever was said before, as one that reads a table of one row is. What comes round each
 * second would else have its connection told twice as often as it asks something.
 */
export type Plans = 'as_the_server_chooses' | 'kept' | 'anew' | 'alike';

/**
 * A plan that is kept was made on a table that has grown since: one that was read from end to end when it
 * had two pages would be for hours. By an index it is found at any size, and in its order: a bitmap holds
 * all that is due before the first of it is taken.
 */
const settings: Readonly<Record<Exclude<Plans, 'alike'>, readonly string[]>> = {
  as_the_server_chooses: [
    'plan_cache_mode = auto',
    'enable_seqscan = on',
    'enable_bitmapscan = on',
  ],
  kept: ['plan_cache_mode = force_generic_plan', 'enable_seqscan = off', 'enable_bitmapscan = off'],
  anew: ['plan_cache_mode = force_custom_plan', 'enable_seqscan = on', 'enable_bitmapscan = on'],
};

/**
 * Citus says no to a plan for any values of a statement that it takes in parts, and plans each part anew where its
 * shard is.
 */
const settingsOnCitus: typeof settings = {
  ...settings,
  kept: ['plan_cache_mode = auto', 'enable_seqscan = off', 'enable_bitmapscan = off'],
};

/** What to say to a connection so that what follows is planned so; it knows what was said last. */
export interface PlanChanges {
  /** A new connection, which plans as the server chooses. One that is not told of here keeps its way. */
  opened(client: pg.ClientBase, on: { readonly isCitus: boolean }): void;
  /** For all that follows; undefined where it plans so already. */
  lasting(client: pg.ClientBase, plans: Plans): string | undefined;
  /** For the transaction that has just begun. */
  within(client: pg.ClientBase, plans: Plans): string | undefined;
}

export function createPlanChanges(): PlanChanges {
  const said = new WeakMap<pg.ClientBase, Plans>();
  const onCitus = new WeakSet<pg.ClientBase>();
  const of = (client: pg.ClientBase) => (onCitus.has(client) ? settingsOnCitus : settings);
  const differs = (client: pg.ClientBase, plans: Plans): plans is keyof typeof settings =>
    plans !== 'alike' && said.has(client) && said.get(client) !== plans;
  return {
    opened(client, { isCitus }) {
      said.set(client, 'as_the_server_chooses');
      if (isCitus) onCitus.add(client);
    },
    lasting(client, plans) {
      if (!differs(client, plans)) return undefined;
      said.set(client, plans);
      return of(client)
        [plans].map((setting) => `set ${setting}`)
        .join('; ');
    },
    within: (client, plans) =>
      differs(client, plans)
        ? of(client)
            [plans].map((setting) => `set local ${setting}`)
            .join('; ')
        : undefined,
  };
}
