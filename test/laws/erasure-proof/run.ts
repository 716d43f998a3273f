import { Command } from 'commander';
import { description, launchService } from '../../support/service/process.ts';
import { type Proof, prove } from './proof.ts';

const command = new Command('node test/laws/erasure-proof/run.ts')
  .description(
    'Starts a separate local service, loads contacts with everything that is stored of a person, erases one percent, and ' +
      'scans every item, payload, index, file, report and log line. The exit status is 1 if anything is left of an ' +
      'erased person or missing of another one.',
  )
  .option('--contacts <number>', 'the number of contacts, at most 99,999', '10000');

async function main(): Promise<void> {
  const { contacts } = command.parse().opts<{ contacts: string }>();
  const all = Number(contacts);
  const service = launchService({ environment: { LOG_LEVEL: 'DEBUG' } });
  try {
    const local = await description(service.directory, service.pid);
    const proof = await prove(local, {
      contacts: all,
      erased: randomPersons(all, Math.max(1, Math.round(all / 100))),
      log: service.output,
      onProgress: (text) => console.error(text),
    });
    console.log(reportOf(proof));
    if (isBroken(proof)) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}

function randomPersons(all: number, chosen: number): number[] {
  const persons = Array.from({ length: all }, (_, person) => person);
  return persons
    .map((person) => ({ person, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, chosen)
    .map(({ person }) => person);
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);

/** Before the erasure, and after the restore, the values must be found: otherwise the scan is blind. */
function isBroken({ stages, contradictions }: Proof): boolean {
  const wrong = stages.filter(({ name, values, lost }) => {
    const mustFind = name === 'before' || name === 'after a restore of the table';
    return sum(values) > 0 !== mustFind || lost.length > 0;
  });
  return wrong.length > 0 || contradictions.length > 0;
}

function reportOf({ contacts, erased, counts, seconds, stages, contradictions }: Proof): string {
  const lines = [`${contacts} contacts, ${erased} erased. Deleted: ${JSON.stringify(counts)}`];
  lines.push(`Seconds: ${JSON.stringify(seconds)}`);
  for (const { name, items, texts, values, ids, lost } of stages) {
    lines.push(
      '',
      `${name}: ${items} items, ${texts} texts; ${sum(values)} values of the erased; ${lost.length} of others lost`,
    );
    for (const [place, count] of Object.entries(values).sort()) lines.push(`  ${place}: ${count}`);
    for (const [place, count] of Object.entries(ids).sort()) lines.push(`  (${place}: ${count})`);
    for (const each of lost.slice(0, 10)) lines.push(`  lost: ${each}`);
  }
  return [...lines, ...contradictions].join('\n');
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.stack : error);
  process.exitCode = 1;
});
