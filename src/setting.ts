import type { ValueType } from './setting-values.ts';

/** One environment variable that changes what Recoup does. */
export interface Setting<Value> {
  readonly env: string;
  readonly group: SettingGroup;
  readonly type: ValueType<Value>;
  /** Read like a value that was set. Absent: the setting may have no value. */
  readonly default?: string;
  /** Stands in docs/settings.md where the default depends on other settings. */
  readonly defaultText?: string;
  readonly meaning: string;
  /** Its value is never shown. */
  readonly secret?: true;
  /** It has to be set when DATABASE_URL is. */
  readonly requiredWithDatabaseUrl?: true;
}

export const settingGroups = [
  'Listening',
  'Data',
  'Secrets',
  'Signing in',
  'Alerts',
  'Messages to customers',
  'Calls to others',
  'Work',
  'Logs',
  'Command line',
] as const;
export type SettingGroup = (typeof settingGroups)[number];

type Rest<Value> = Omit<Setting<Value>, 'type' | 'default'>;

export function withDefault<Value>(
  type: ValueType<Value>,
  rest: Rest<Value> & { readonly default: string },
): Setting<Value> & { readonly default: string } {
  return { type, ...rest };
}

export function optional<Value>(type: ValueType<Value>, rest: Rest<Value>): Setting<Value> {
  return { type, ...rest };
}
