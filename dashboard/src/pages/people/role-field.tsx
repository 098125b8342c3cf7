/** What each role may do; each may do all that those before it may. */
const roles = [
  ['viewer', 'viewer: reads'],
  ['disputes', 'disputes: answers disputes too'],
  ['operator', 'operator: acts on payments, incidents and policies too'],
  ['administrator', 'administrator: everything'],
] as const;

export function RoleField({ value }: { readonly value?: string }) {
  return (
    <label>
      Role
      <select name="role" {...(value === undefined ? {} : { defaultValue: value })}>
        {roles.map(([role, words]) => (
          <option key={role} value={role}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
