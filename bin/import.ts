import { enableCompileCache } from 'node:module';

// The compile cache reduces the memory of a run to a third.
enableCompileCache();
const { runImportCommand } = await import('./import/command.ts');

process.exitCode = await runImportCommand(process.argv.slice(2));
