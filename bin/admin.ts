import { runAdmin } from './admin/program.ts';

process.exitCode = await runAdmin(process.argv.slice(2));
