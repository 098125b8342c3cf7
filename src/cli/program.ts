import { Command } from 'commander';
import type { Cli } from './cli.ts';
import { addClock } from './commands/clock.ts';
import { addCredentials } from './commands/credentials.ts';
import { addDeliveries } from './commands/deliveries.ts';
import { addFees } from './commands/fees.ts';
import { addInvariants } from './commands/invariants.ts';
import { addMerchants } from './commands/merchants.ts';
import { addPayments } from './commands/payments.ts';
import { addPsps } from './commands/psps.ts';
import { addSimulate } from './commands/simulate.ts';
import { addStatus } from './commands/status.ts';
import { addUnknownCharges } from './commands/unknown-charges.ts';

const help = `
Examples:
  $ recoup status
  $ recoup merchants list
  $ recoup payments list --status scheduled
  $ recoup clock advance P1D                 (sandbox)
  $ recoup simulate                          (no service needed)

The service is found by its settings, as environment variables:
  OPERATOR_URL    default http://127.0.0.1:8082 (from HOST and OPERATOR_PORT)
  OPERATOR_TOKEN  default: the file operator-token in DATA_DIR (./data)

Every command that asks the service takes --json and then prints what the operator API answered.

Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 3 the service did not answer.`;

/** The whole command. It throws for what goes wrong and never ends the process itself. */
export function createProgram(cli: Cli): Command {
  const program = new Command('recoup')
    .description(
      'Operates a running Recoup: merchants, processors, credentials, payments, webhooks, the clock.',
    )
    .addHelpText('after', help);
  addStatus(program, cli);
  addMerchants(program, cli);
  addCredentials(program, cli);
  addPsps(program, cli);
  addPayments(program, cli);
  addFees(program, cli);
  addDeliveries(program, cli);
  addUnknownCharges(program, cli);
  addInvariants(program, cli);
  addClock(program, cli);
  addSimulate(program, cli);
  for (const command of all(program)) {
    if (command.commands.length === 0) command.option('--json', "print the API's answer as JSON");
    command
      .helpCommand(false)
      .exitOverride()
      .showSuggestionAfterError(true)
      .configureOutput({ outputError: () => {} });
  }
  return program;
}

function all(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(all)];
}
