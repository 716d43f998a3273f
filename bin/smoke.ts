import { runSmokeCommand } from './smoke/command.ts';

process.exitCode = await runSmokeCommand(process.argv.slice(2));
