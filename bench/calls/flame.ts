/** A part with the time that it and the parts that it calls used. */
export type Flame = { name: string; time: number; children: Map<string, Flame> };

/** Adds the time of a sample to the parts of its stack, outermost first. */
export function addStack(root: Flame, stack: readonly string[], time: number): void {
  root.time += time;
  let flame = root;
  for (const name of stack) {
    let child = flame.children.get(name);
    if (!child) {
      child = { name, time: 0, children: new Map() };
      flame.children.set(name, child);
    }
    child.time += time;
    flame = child;
  }
}

const width = 900;
const row = 22;
const top = 44;
/** Pixels. What is narrower is left out. */
const narrowest = 2;
const letter = 6.6;

const colors: [RegExp, string][] = [
  [/^ours/, '#7fb2e5'],
  [/^SDK/, '#f0b95b'],
  [/^Node/, '#9bd0a5'],
  [/^garbage|^V8/, '#c9c9c9'],
  [/./, '#d9a7c7'],
];

/** A flame graph, the callers above what they call. The width of a part is its share of the time. */
export function flamePicture(title: string, root: Flame): string {
  const bars: string[] = [];
  let depth = 0;
  const draw = (flame: Flame, left: number, level: number) => {
    const wide = (flame.time / root.time) * width;
    if (wide < narrowest) return;
    depth = Math.max(depth, level);
    const y = top + level * row;
    const percent = ((flame.time / root.time) * 100).toFixed(1);
    const color = colors.find(([pattern]) => pattern.test(flame.name))![1];
    bars.push(
      `<g><title>${flame.name}, ${percent} %</title><rect x="${left.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${row - 1}" fill="${color}"/>`,
      `<text x="${(left + 4).toFixed(1)}" y="${y + 15}">${shortened(flame.name, wide)}</text></g>`,
    );
    let at = left;
    for (const child of [...flame.children.values()].sort((a, b) => b.time - a.time)) {
      draw(child, at, level + 1);
      at += (child.time / root.time) * width;
    }
  };
  let at = 0;
  for (const child of [...root.children.values()].sort((a, b) => b.time - a.time)) {
    draw(child, at, 0);
    at += (child.time / root.time) * width;
  }
  const height = top + (depth + 1) * row + 8;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${title}</title>`,
    '<style>text{font:12px system-ui,sans-serif;fill:#1f2328}.strong{font-weight:600}',
    '@media (prefers-color-scheme:dark){.strong{fill:#e6edf3}}</style>',
    `<text class="strong" x="4" y="24">${title}</text>`,
    ...bars,
    '</svg>',
  ].join('\n')}\n`;
}

function shortened(name: string, wide: number): string {
  const letters = Math.floor((wide - 8) / letter);
  if (letters >= name.length) return name;
  return letters < 4 ? '' : `${name.slice(0, letters - 1)}…`;
}
