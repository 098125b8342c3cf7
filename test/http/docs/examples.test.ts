import { describe, expect, test } from 'vitest';
import { disputesOpenApi } from '../../../src/http/disputes/disputes-open-api.ts';
import { recoveryOpenApi } from '../../../src/http/recovery/recovery-open-api.ts';
import { merchantOpenApi } from '../../../src/merchant/open-api/merchant-open-api.ts';
import { operatorOpenApi } from '../../../src/operator/operator-open-api.ts';
import { operationsOf, schemaFaults } from '../../kits/open-api.ts';

describe.each([
  ['recovery', await recoveryOpenApi()],
  ['disputes', await disputesOpenApi()],
  ['operator', await operatorOpenApi()],
  ['merchant', merchantOpenApi()],
])('the %s document', (_name, document) => {
  test.each(operationsOf(document).map((operation) => [operation.name, operation] as const))(
    '%s has an example of its body and of each answer, which fit their schemas',
    (_route, { body, answers }) => {
      for (const { schema, examples } of [...answers.values(), ...(body ? [body] : [])]) {
        if (schema === undefined) continue;
        // A body that says nothing needs no example.
        if (schema !== body?.schema) expect(examples.length).toBeGreaterThan(0);
        for (const { value } of examples) expect(schemaFaults(schema, value)).toEqual([]);
      }
    },
  );
});
