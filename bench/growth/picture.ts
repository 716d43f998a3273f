import type { GrowthResult } from '../growth.ts';

const width = 900;
const height = 450;
const panel = { left: 56, top: 56, width: 250, height: 320, gap: 200 };
const colors = [
  '#1d4f91',
  '#e8a33d',
  '#2a8a68',
  '#b0413e',
  '#7d5ba6',
  '#3aa6a0',
  '#8c6d31',
  '#d6616b',
  '#5f6b7a',
  '#8a8a8a',
];

type Value = (result: GrowthResult) => number;
const panels: { title: string; value: Value }[] = [
  { title: 'read and write units', value: ({ read_units, write_units }) => read_units + write_units },
  { title: 'milliseconds on the local engine', value: ({ ms }) => ms },
];

/** The cost of each operation over the number of contacts. Both axes are logarithmic. */
export function growthPicture(results: readonly GrowthResult[]): string {
  const title = 'What an operation costs as the contacts of a team grow';
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${title}</title>`,
    '<style>text{font:12px system-ui,sans-serif;fill:#1f2328}.strong{font-weight:600}.grid{stroke:#8886;stroke-width:1}',
    'path{fill:none;stroke-width:2}@media (prefers-color-scheme:dark){text{fill:#e6edf3}}</style>',
    `<text class="strong" x="24" y="24">${title}</text>`,
    ...panels.flatMap((each, at) => panelOf(results, each, panel.left + at * (panel.width + panel.gap))),
    '</svg>',
  ].join('\n')}\n`;
}

function panelOf(results: readonly GrowthResult[], { title, value }: (typeof panels)[number], left: number): string[] {
  const x = scale(
    results.map(({ contacts }) => contacts),
    left,
    left + panel.width,
  );
  const y = scale(results.map(value), panel.top + panel.height, panel.top);
  const operations = [...new Set(results.map(({ operation }) => operation))];
  const ends = labelPositions(operations.map((operation) => y.at(value(lastOf(results, operation)))));
  return [
    `<text class="strong" x="${left}" y="${panel.top - 12}">${title}</text>`,
    ...y.ticks.flatMap((tick) => [
      `<path class="grid" d="M${left} ${y.at(tick)}h${panel.width}"/>`,
      `<text x="${left - 6}" y="${y.at(tick) + 4}" text-anchor="end">${tick.toLocaleString('en')}</text>`,
    ]),
    ...x.ticks.map(
      (tick) =>
        `<text x="${x.at(tick)}" y="${panel.top + panel.height + 50}" text-anchor="middle">${tick.toLocaleString('en')}</text>`,
    ),
    ...operations.flatMap((operation, at) => {
      const points = results.filter((each) => each.operation === operation);
      const line = points.map((each) => `${x.at(each.contacts)} ${y.at(value(each))}`).join('L');
      const color = colors[at % colors.length];
      return [
        `<path stroke="${color}" d="M${line}"/>`,
        `<text x="${left + panel.width + 8}" y="${ends[at]! + 4}" style="fill:${color}">${operation}</text>`,
      ];
    }),
  ];
}

const lastOf = (results: readonly GrowthResult[], operation: string) =>
  results.filter((each) => each.operation === operation).at(-1)!;

/** A logarithmic scale from the power of ten below the smallest value to the one above the largest. */
function scale(values: readonly number[], from: number, to: number) {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  const at = (value: number) => Math.round(from + ((to - from) * (Math.log10(value) - first)) / (last - first));
  return { at, ticks: Array.from({ length: last - first + 1 }, (_, n) => 10 ** (first + n)) };
}

const lineHeight = 15;

/** Moves labels apart that would overlap. */
function labelPositions(wanted: readonly number[]): number[] {
  const placed: number[] = [];
  const order = wanted.map((_, at) => at).sort((a, b) => wanted[a]! - wanted[b]!);
  let free = Number.NEGATIVE_INFINITY;
  for (const at of order) {
    placed[at] = Math.max(wanted[at]!, free);
    free = placed[at]! + lineHeight;
  }
  return placed;
}
