import { existsSync } from 'node:fs';
import { Command } from './command.ts';
import { startPreview } from './preview/server.ts';

const command = new Command('npm run preview --')
  .description(
    'Shows the campaigns of a file in the browser, on a phone and a desktop side by side, in every state and language, ' +
      'with the warnings beside them. Shows each change when the file is saved. Imports nothing and needs no service; ' +
      'images and fonts come from the local service, if it runs.',
  )
  .argument('<file>', 'the JSON document, as `content import` takes it')
  .option('--port <number>', 'where it listens', '3100');

async function main(): Promise<void> {
  const { port } = command.parse().opts<{ port: string }>();
  const [file = ''] = command.args;
  if (!existsSync(file)) throw new Error(`${file} does not exist.`);
  const dataDirectory = process.env.DATA_DIR || '.data';
  const { url } = await startPreview({ file, port: Number(port), dataDirectory });
  console.log(`The preview is at ${url}. Ctrl-C stops it.`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
