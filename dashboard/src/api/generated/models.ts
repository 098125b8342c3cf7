// Generated from openapi/operator.json by npm run generate; do not edit.

/** Models by scope, the newest first. */
export type ModelsJson = {
  readonly models: readonly ({
    readonly id: string;
    /** The merchant that it plans for; absent: every merchant without one of its own. */
    readonly merchant_id?: string;
    /** active: it plans. Of each scope one model is. */
    readonly status: 'candidate' | 'active' | 'retired';
    /** shipped: it came with the service. */
    readonly origin: 'shipped' | 'trained';
    /** How well it foretold held-out tries, beside the model before it. */
    readonly metrics: Readonly<Record<string, unknown>>;
    /** What it foretold and what came. */
    readonly drift?: {
      /** Tries of the last 14 days whose time it chose. */
      readonly tries: number;
      readonly successes: number;
      /** The successes that it foretold. */
      readonly foretold: number;
    };
    /** Why fixed schedules are used although it is active; until another one is. */
    readonly alert?: string;
    /** When it was trained. */
    readonly created_at: string;
    /** When it became active last. */
    readonly activated_at?: string;
    /** When another one took its place. */
    readonly retired_at?: string;
  })[];
  /** The last one of each scope. */
  readonly trainings: readonly {
    /** The merchant that it plans for; absent: every merchant without one of its own. */
    readonly merchant_id?: string;
    /** How far it is. */
    readonly state: 'queued' | 'reading' | 'training' | 'done' | 'failed';
    /** Tries read so far. */
    readonly tries: number;
    /** How it ended. */
    readonly words: string;
    /** The model that it made. */
    readonly model_id?: string;
    /** When it was asked for. */
    readonly requested_at: string;
    /** When it went on last. */
    readonly updated_at: string;
  }[];
};

export type TrainModelBody = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
};

export type TrainModelAnswer = {
  readonly state: 'queued';
};
