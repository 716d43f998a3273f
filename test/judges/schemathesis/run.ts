import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { LocalDescription } from '../../../bin/local/description.ts';
import { pythonPrograms, withOwnService } from '../python.ts';

/**
 * `node test/judges/schemathesis/run.ts [options of schemathesis]`: all checks of schemathesis, in all phases, over the served
 * document and against a service of its own. Exit status 1 when it finds what `left-out.json` does not explain.
 */
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What schemathesis reports though the service is right: `operation`, `answer` and `message` are patterns. */
type LeftOut = { check: string; operation: string; answer: string; message?: string; reason: string };
type Finding = { check: string; operation: string; phase: string; message: string; answer: string };

const leftOut: LeftOut[] = JSON.parse(readFileSync(file('left-out.json'), 'utf8'));

const explains = ({ check, operation, answer, message = '' }: LeftOut, finding: Finding): boolean =>
  check === finding.check &&
  new RegExp(`^${operation.replaceAll(/[{}]/g, '\\$&')}$`).test(finding.operation) &&
  new RegExp(answer).test(finding.answer) &&
  new RegExp(message).test(finding.message);

async function tokenOf({ base_url, client_id, client_secret }: LocalDescription): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const response = await fetch(`${base_url}/oauth2/token`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Runs schemathesis. Returns the path of its events. */
async function run(programs: string, local: LocalDescription, directory: string): Promise<string> {
  const events = join(directory, 'events.ndjson');
  const options = [
    ...['run', `${local.base_url}/openapi.json`, '--header', `Authorization: Bearer ${await tokenOf(local)}`],
    ...['--checks', 'all', '--continue-on-failure', '--suppress-health-check', 'all'],
    ...['--report', 'ndjson', '--report-ndjson-path', events, ...process.argv.slice(2)],
  ];
  const child = spawn(join(programs, 'schemathesis'), options, { cwd: directory, stdio: 'inherit' });
  const [status] = await once(child, 'close');
  // 1 means that there are findings, which are checked here.
  if (status !== 0 && status !== 1) throw new Error(`schemathesis ended with status ${status}`);
  return events;
}

type Check = { name: string; status: string; failure_info?: { failure: { operation: string; message: string } } };
type Scenario = {
  phase: string;
  recorder: {
    checks: Record<string, Check[]>;
    interactions: Record<string, { response?: { content?: { $base64?: string } | string | null } | null }>;
  };
};

async function findingsIn(events: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const line of createInterface({ input: createReadStream(events) })) {
    const { ScenarioFinished: scenario } = JSON.parse(line) as { ScenarioFinished?: Scenario };
    for (const [id, checks] of Object.entries(scenario?.recorder.checks ?? {})) {
      for (const { name, status, failure_info } of checks) {
        if (status === 'success' || !failure_info) continue;
        const { operation, message } = failure_info.failure;
        const content = scenario!.recorder.interactions[id]?.response?.content ?? '';
        const answer = typeof content === 'string' ? content : Buffer.from(content.$base64 ?? '', 'base64').toString();
        findings.push({ check: name, operation, phase: scenario!.phase, message, answer });
      }
    }
  }
  return findings;
}

const programs = pythonPrograms(file('requirements.txt'));
const findings = await withOwnService(async (local, directory) => findingsIn(await run(programs, local, directory)));
const unexplained = findings.filter((finding) => !leftOut.some((each) => explains(each, finding)));
console.log('\nLeft out, and why:');
for (const each of leftOut) {
  const count = findings.filter((finding) => explains(each, finding)).length;
  console.log(`${String(count).padStart(5)}  ${each.check}, ${each.operation}: ${each.reason}`);
}
console.log(`\n${unexplained.length} of ${findings.length} findings are not explained.`);
for (const each of unexplained)
  console.log(`\n${each.operation} (${each.phase}, ${each.check}): ${each.message}\n${each.answer.slice(0, 600)}`);
if (unexplained.length > 0) process.exitCode = 1;
