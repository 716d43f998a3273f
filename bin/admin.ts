import { enableCompileCache } from 'node:module';

// Most of the CPU of a command is the compilation of its modules.
enableCompileCache();
const { runAdmin } = await import('./admin/program.ts');

process.exitCode = await runAdmin(process.argv.slice(2));
