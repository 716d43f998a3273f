import { runRehearseCommand } from './rehearse/command.ts';

process.exitCode = await runRehearseCommand(process.argv.slice(2));
