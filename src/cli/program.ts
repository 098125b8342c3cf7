import { Command } from 'commander';
import type { Cli } from './cli.ts';
import { addAlerts } from './commands/alerts/alerts.ts';
import { addAudit } from './commands/audit/audit.ts';
import { addCompletion } from './commands/completion/completion.ts';
import { addDisputeOutcomes } from './commands/disputes/dispute-outcomes.ts';
import { addDisputeRatios } from './commands/disputes/dispute-ratios.ts';
import { addDisputes } from './commands/disputes/disputes.ts';
import { addRecovery } from './commands/disputes/recovery.ts';
import { addExport } from './commands/exports/export.ts';
import { addIncidents } from './commands/incidents/incidents.ts';
import { addSetAside } from './commands/incidents/set-aside.ts';
import { addKeys } from './commands/keys/keys.ts';
import { addCredentials } from './commands/merchants/credentials.ts';
import { addMerchants } from './commands/merchants/merchants.ts';
import { addPsps } from './commands/merchants/psps.ts';
import { addMessages } from './commands/messages/messages.ts';
import { addFees } from './commands/payments/fees.ts';
import { addPayments } from './commands/payments/payments.ts';
import { addStatement } from './commands/payments/statement.ts';
import { addUnknownCharges } from './commands/payments/unknown-charges.ts';
import { addOperators, addTokens } from './commands/people/people.ts';
import { addBacktest } from './commands/policies/backtest.ts';
import { addModels, addTrain } from './commands/policies/models.ts';
import { addReport } from './commands/policies/report.ts';
import { addSimulate } from './commands/policies/simulate.ts';
import { addWhatIf } from './commands/policies/what-if.ts';
import { addClock } from './commands/service/clock.ts';
import { addDoctor } from './commands/service/doctor.ts';
import { addInvariants } from './commands/service/invariants.ts';
import { addMigrate } from './commands/service/migrate.ts';
import { addReconcile, addRestoreCheck } from './commands/service/reconcile.ts';
import { addStatus } from './commands/service/status.ts';
import { addDeliveries } from './commands/webhooks/deliveries.ts';
import { addEndpoints } from './commands/webhooks/endpoints.ts';
import { addListen } from './commands/webhooks/listen.ts';

const help = `
In a clone, write npm run recoup -- for recoup: npm run recoup -- status

Examples:
  $ recoup status
  $ recoup doctor                            (what is wrong, and what to do)
  $ recoup merchants list
  $ recoup payments list --status scheduled
  $ recoup clock advance P1D                 (sandbox)
  $ recoup listen --forward-to http://localhost:4242/webhooks
  $ recoup simulate                          (no service needed)
  $ recoup backtest history.csv              (no service needed)

The service is found by its settings, as environment variables:
  OPERATOR_URL    default http://127.0.0.1:8082 (from HOST and OPERATOR_PORT)
  OPERATOR_TOKEN  default: the file operator-token in DATA_DIR (./data)

Every command takes --json, which prints the operator API's answer as it is. recoup <command> --help shows
examples; docs/cli.md has the help of all commands.

Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 3 the service did not answer.`;

/** The whole command. It throws for what goes wrong and never ends the process itself. */
export function createProgram(cli: Cli): Command {
  const program = new Command('recoup')
    .description(
      'Operates a running Recoup: merchants, processors, credentials, payments, webhooks, the clock.',
    )
    .addHelpText('after', help)
    // A command's command has options of its own by the same names.
    .enablePositionalOptions();
  addStatus(program, cli);
  addDoctor(program, cli);
  addMerchants(program, cli);
  addCredentials(program, cli);
  addPsps(program, cli);
  addPayments(program, cli);
  addFees(program, cli);
  addStatement(program, cli);
  addReport(program, cli);
  addDisputes(program, cli);
  addDisputeRatios(program, cli);
  addDisputeOutcomes(program, cli);
  addRecovery(program, cli);
  addDeliveries(program, cli);
  addEndpoints(program, cli);
  addUnknownCharges(program, cli);
  addIncidents(program, cli);
  addSetAside(program, cli);
  addInvariants(program, cli);
  addReconcile(program, cli);
  addRestoreCheck(program, cli);
  addExport(program, cli);
  addAlerts(program, cli);
  addMessages(program, cli);
  addKeys(program, cli);
  addAudit(program, cli);
  addOperators(program, cli);
  addTokens(program, cli);
  addTrain(program, cli);
  addModels(program, cli);
  addWhatIf(program, cli);
  addMigrate(program, cli);
  addClock(program, cli);
  addListen(program, cli);
  addSimulate(program, cli);
  addBacktest(program, cli);
  addCompletion(program, cli);
  setUpAll(program);
  return program;
}

/** What every command has, wherever it stands. */
function setUpAll(program: Command): void {
  for (const command of all(program)) {
    if (command.commands.length === 0) command.option('--json', "print the API's answer as JSON");
    command
      .helpCommand(false)
      .exitOverride()
      .showSuggestionAfterError(true)
      .configureOutput({ outputError: () => {} });
  }
}

function all(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(all)];
}
