import { totalOf } from './bill.ts';
import type { CostReport, Size } from './report.ts';
import { dollars } from './text.ts';

/** The colors of the groups, in light and dark. Neighbors differ in lightness, so that they are told apart in gray. */
const groups = [
  { id: 'data', label: 'data: table or Aurora', light: '#1d4f91', dark: '#7fb0ee' },
  { id: 'requests', label: 'API requests', light: '#e8a33d', dark: '#f0bb68' },
  { id: 'functions', label: 'functions and queues', light: '#2a8a68', dark: '#57c49b' },
  { id: 'rest', label: 'logs, metrics, alarms, files, secret', light: '#b9bfc9', dark: '#6d7683' },
] as const;
type GroupId = (typeof groups)[number]['id'];

const width = 860;
const margin = 24;
const barLeft = 300;
const barWidth = 440;
const barHeight = 22;
const rowHeight = 32;
const panelHead = 34;
const panelGap = 22;
const legendHeight = 64;

/** The totals as bars, one panel for each size. Each panel has a scale of its own. */
export function pictureOf({ sizes, region, prices }: CostReport): string {
  const panelHeight = panelHead + rowHeight * sizes[0]!.alternatives.length + panelGap;
  const height = legendHeight + panelHeight * sizes.length;
  const panels = sizes.map((size, at) => panel(size, legendHeight + at * panelHeight));
  const label = `US dollars a month, ${region}, list prices of ${prices.date}`;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${label}</title>`,
    style(),
    `<text class="strong" x="${margin}" y="24">${label}</text>`,
    ...legend(),
    ...panels.flat(),
    '</svg>',
  ].join('\n')}\n`;
}

function style(): string {
  const fills = (theme: 'light' | 'dark') => groups.map((group) => `.${group.id}{fill:${group[theme]}}`).join('');
  return [
    '<style>',
    'text{font:14px system-ui,sans-serif;fill:#1f2328}.strong{font-weight:600}.number{font-variant-numeric:tabular-nums}',
    fills('light'),
    `@media (prefers-color-scheme:dark){text{fill:#e6edf3}${fills('dark')}}`,
    '</style>',
  ].join('');
}

function legend(): string[] {
  let x = margin;
  return groups.flatMap(({ id, label }) => {
    const left = x;
    x += 34 + label.length * 7.2;
    return [
      `<rect class="${id}" x="${left}" y="38" width="12" height="12"/>`,
      `<text x="${left + 18}" y="49">${label}</text>`,
    ];
  });
}

function panel({ workload, alternatives }: Size, top: number): string[] {
  const largest = Math.max(...alternatives.map(({ parts }) => totalOf(parts)));
  const bars = alternatives.flatMap(({ name, parts }, at) => {
    const y = top + panelHead + at * rowHeight;
    const total = totalOf(parts);
    const scale = (value: number) => (value / largest) * barWidth;
    let x = barLeft;
    const segments = groups.map(({ id }) => {
      const length = scale(totalOf(parts.filter((part) => groupOf(part) === id)));
      const segment = `<rect class="${id}" x="${round(x)}" y="${y}" width="${round(length)}" height="${barHeight}"/>`;
      x += length;
      return segment;
    });
    const baseline = y + barHeight - 6;
    return [
      `<text x="${barLeft - 12}" y="${baseline}" text-anchor="end">${name}</text>`,
      ...segments,
      `<text class="number" x="${round(barLeft + scale(total) + 8)}" y="${baseline}">${dollars(total)}</text>`,
    ];
  });
  const contacts = workload.contacts.toLocaleString('en');
  return [`<text class="strong" x="${margin}" y="${top + 20}">${contacts} contacts</text>`, ...bars];
}

function groupOf({ name, isData }: { name: string; isData: boolean }): GroupId {
  if (isData) return 'data';
  if (name === 'API requests') return 'requests';
  return name === 'functions' || name === 'queues' ? 'functions' : 'rest';
}

const round = (value: number): number => Math.round(value * 10) / 10;
