import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { startService } from '../../../bin/demo/service.ts';
import { areas, attackAll } from './areas.ts';
import type { Outcome } from './attack.ts';
import { makeWorld } from './world.ts';

const command = new Command('node test/judges/attack/run.ts')
  .description(
    'Attacks a local service of its own: across teams, with forged tokens, and through the pages that ' +
      'people see. Prints how many attacks were made, and what got anywhere. Exit status 1 where one did.',
  )
  .option('--area <area>', `only one of ${Object.keys(areas).join(', ')}`);

async function main(): Promise<void> {
  const { area } = command.parse().opts<{ area?: string }>();
  if (area !== undefined && !(area in areas)) throw new Error(`The areas are ${Object.keys(areas).join(', ')}.`);
  const directory = mkdtempSync(join(tmpdir(), 'onboarding-attack-'));
  const { local, release } = await startService(directory, '--memory');
  try {
    const chosen = area === undefined ? Object.keys(areas) : [area];
    const outcomes = await attackAll(await makeWorld(local), chosen);
    const attacks = outcomes.reduce((sum, each) => sum + each.attacks, 0);
    const successful = outcomes.reduce((sum, { failures }) => sum + failures.length, 0);
    console.log(`${tableOf(outcomes)}\n\n${attacks.toLocaleString('en')} attacks, ${successful} got anywhere.`);
    if (successful > 0) process.exitCode = 1;
  } finally {
    await release();
    rmSync(directory, { recursive: true, force: true });
  }
}

function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ area, group, attacks, failures }) => {
    return `${area.padEnd(9)} ${group.padEnd(34)} ${String(attacks).padStart(7)} ${String(failures.length).padStart(8)}`;
  });
  const failed = outcomes.flatMap(({ area, group, failures }) =>
    failures.map(({ name, message }) => `${area}, ${group}, ${name}: ${message}`),
  );
  return [
    `${'AREA'.padEnd(9)} ${'GROUP'.padEnd(34)} ATTACKS ANYWHERE`,
    ...rows,
    ...(failed.length > 0 ? ['', ...failed] : []),
  ].join('\n');
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
