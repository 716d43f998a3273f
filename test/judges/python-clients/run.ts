import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonPrograms, withOwnService } from '../python.ts';

/**
 * `node test/judges/python-clients/run.ts`: code that two Python generators make of the served document calls every operation of
 * a running service. See docs/getting-started.md.
 */
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const generators: Record<string, { generate: (document: string, target: string) => string[]; calls: string }> = {
  'openapi-python-client': {
    generate: (document, target) => {
      return ['generate', '--path', document, '--output-path', join(target, 'generated'), '--meta', 'none'];
    },
    calls: 'openapi_python_client.py',
  },
  'datamodel-codegen': {
    generate: (document, target) => [
      ...['--input', document, '--input-file-type', 'openapi', '--output', join(target, 'models.py')],
      ...['--output-model-type', 'pydantic_v2.BaseModel', '--formatters', 'builtin'],
    ],
    calls: 'datamodel_code_generator.py',
  },
};

const programs = pythonPrograms(file('requirements.txt'));
await withOwnService(async (local, directory) => {
  const served = await fetch(`${local.base_url}/openapi.json`);
  const document = join(directory, 'openapi.json');
  writeFileSync(document, await served.text());
  const path = `${programs}:${process.env.PATH}`;
  const environment = { ...process.env, PATH: path, PYTHONPATH: directory, PYTHONDONTWRITEBYTECODE: '1' };
  const credential = {
    BASE_URL: local.base_url,
    CLIENT_ID: local.client_id,
    CLIENT_SECRET: local.client_secret,
    DOCUMENT: document,
  };
  for (const [program, { generate, calls }] of Object.entries(generators)) {
    const options = { env: { ...environment, ...credential }, stdio: 'inherit' as const };
    console.log(`\n${program}`);
    execFileSync(join(programs, program), generate(document, directory), {
      ...options,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    execFileSync(join(programs, 'python'), [file(calls)], options);
  }
});
