import type pg from 'pg';

/** A column of a statement's result, as PostgreSQL describes it without running the statement. */
export interface DescribedColumn {
  readonly name: string;
  readonly typeOid: number;
  /** The column of a table that it is; absent for an expression. */
  readonly table?: { readonly oid: number; readonly column: number };
}

export interface DescribedStatement {
  readonly columns: readonly DescribedColumn[];
  readonly parameters: number;
}

/** Prepares a text on the server and asks for its parameters and its columns. */
export function describeStatement(client: pg.Client, text: string): Promise<DescribedStatement> {
  return new Promise((resolve, reject) => {
    let parameters = 0;
    let columns: readonly DescribedColumn[] = [];
    client.query({
      submit(connection: pg.Connection) {
        const wire = connection as unknown as {
          parse(of: { text: string }): void;
          describe(of: { type: 'S' }): void;
          sync(): void;
          once(event: string, listener: (message: { dataTypeIDs: unknown[] }) => void): void;
        };
        wire.once('parameterDescription', (message) => {
          parameters = message.dataTypeIDs.length;
        });
        wire.parse({ text });
        wire.describe({ type: 'S' });
        wire.sync();
      },
      handleRowDescription(message: { fields: readonly pg.FieldDef[] }) {
        columns = message.fields.map(({ name, dataTypeID, tableID, columnID }) => ({
          name,
          typeOid: dataTypeID,
          ...(tableID > 0 && { table: { oid: tableID, column: columnID } }),
        }));
      },
      handleError: reject,
      handleReadyForQuery: () => resolve({ columns, parameters }),
    } as unknown as pg.Submittable);
  });
}
