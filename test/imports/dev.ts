import { settingsOf } from './settings.ts';
import { simulate } from './simulation.ts';

const from = Number(process.argv[2] ?? 1);
const count = Number(process.argv[3] ?? 200);
const show = process.argv[4];
const met = new Map<string, number>();
let bad = 0;
let chunks = 0,
  steps = 0;
const kinds = new Map<string, number[]>();
const t = performance.now();
for (let seed = from; seed < from + count; seed++) {
  const out = await simulate(settingsOf(seed), { isTraced: show === 'trace' });
  for (const [k, v] of out.met) met.set(k, (met.get(k) ?? 0) + v);
  chunks += out.chunks;
  steps += out.steps;
  if (show === 'trace') console.log(out.trace.join('\n'));
  if (out.problems.length) {
    bad++;
    const k = out.problems[0]!.replace(/[0-9a-f]{8}-[0-9a-f-]+/g, 'T')
      .replace(/\d+/g, 'N')
      .slice(0, 150);
    kinds.set(k, [...(kinds.get(k) ?? []), seed]);
  }
}
const ms = performance.now() - t;
console.log({ bad, chunks, steps, msEach: ms / count });
for (const [k, v] of kinds) console.log(v.length, k, v.slice(0, 6).join());
if (show === 'mix') console.log(Object.fromEntries(met));
