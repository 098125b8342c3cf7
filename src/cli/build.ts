import { buildDashboard, dashboardFolder } from '../app/dashboard/build-dashboard.ts';
import { exitCodes } from './cli-error.ts';

/** Builds the dashboard, unless its present sources are built already. */
const outcome = await buildDashboard({ folder: dashboardFolder });
if (outcome.kind === 'ready') process.stdout.write(`The dashboard is built: ${outcome.path}\n`);
else {
  process.stderr.write(`${outcome.message}\n`);
  process.exitCode = exitCodes.refused;
}
