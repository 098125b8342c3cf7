import { Choice } from '../../parts/choice.tsx';

/** What each role may do; each may do all that those before it may. */
const roles = [
  ['viewer', 'viewer: reads'],
  ['disputes', 'disputes: answers disputes too'],
  ['operator', 'operator: acts on payments, incidents and policies too'],
  ['administrator', 'administrator: everything'],
] as const;

export function RoleField({ value }: { readonly value?: string }) {
  return (
    <Choice
      label="Role"
      form="above"
      name="role"
      options={roles.map(([role, label]) => ({ value: role, label }))}
      {...(value === undefined ? {} : { defaultValue: value })}
    />
  );
}
