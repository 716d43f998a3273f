/** The state of a running import, for display. */
export type View = {
  phase: 'checking' | 'sending';
  name: string;
  /** Share of the file that was read, from 0 to 1. */
  read: number;
  rowsRead: number;
  /** Rows that need no more work. */
  rowsDone: number;
  rejected: number;
  /** For accounts only, as the service reports. */
  chunks: { accepted: number; applied: number } | undefined;
  /** Rows a second, and remaining seconds in `left`; `undefined` while unknown. */
  rate: number | undefined;
  left: number | undefined;
};

/** The progress, from 0 to 1. The number of rows in the file is estimated from the share that was read. */
export function fractionOf({ read, rowsRead, rowsDone }: View): number {
  const expected = read > 0 ? rowsRead / read : 0;
  return expected === 0 ? 0 : Math.min(1, rowsDone / expected);
}

export const count = (value: number): string => Math.round(value).toLocaleString('en');

/** `4 s`, `3 min 12 s`, `2 h 05 min`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

const verbs = { checking: 'checking', sending: 'importing' };

/** The parts of a line, most important first. */
function facts(view: View): string[] {
  const { rate, left, chunks, rejected } = view;
  return [
    `${Math.floor(100 * fractionOf(view))} %`,
    ...(rate === undefined || rate < 1 ? [] : [`${count(rate)} rows/s`]),
    ...(left === undefined || left < 1 ? [] : [`${duration(left)} left`]),
    ...(chunks ? [`${count(chunks.applied)} of ${count(chunks.accepted)} chunks applied`] : []),
    ...(rejected > 0 ? [`${count(rejected)} rejected`] : []),
  ];
}

const widestBar = 30;
const narrowestBar = 8;

/** One line with a bar, at most `columns` wide. Parts that do not fit are left out, the least important first. */
export function barLine(view: View, columns: number): string {
  const label = `${verbs[view.phase]} ${shortened(view.name, Math.max(8, Math.floor(columns / 4)))}`;
  const said = facts(view);
  const room = columns - 1;
  const widthOf = (parts: string[], bar: number) => [label, ' '.repeat(bar), ...parts].join('  ').length;
  while (said.length > 1 && widthOf(said, narrowestBar) > room) said.pop();
  const bar = Math.max(0, Math.min(widestBar, narrowestBar + room - widthOf(said, narrowestBar)));
  const full = Math.round(bar * fractionOf(view));
  return [label, '█'.repeat(full) + '░'.repeat(bar - full), ...said].join('  ').slice(0, room);
}

/** One line for a log. */
export const plainLine = (view: View): string =>
  `${verbs[view.phase]} ${view.name}: ${[`${count(view.rowsDone)} rows`, ...facts(view)].join(', ')}`;

const shortened = (name: string, length: number): string =>
  name.length <= length ? name : `${name.slice(0, Math.ceil(length / 2) - 1)}…${name.slice(-Math.floor(length / 2))}`;
