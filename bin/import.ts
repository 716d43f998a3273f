import { enableCompileCache } from 'node:module';

// What was compiled once is not compiled again: a third of the memory that a run would take.
enableCompileCache();
const { runImportCommand } = await import('./import/command.ts');

process.exitCode = await runImportCommand(process.argv.slice(2));
